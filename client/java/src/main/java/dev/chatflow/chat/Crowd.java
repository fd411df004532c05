package dev.chatflow.chat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the members of a room from the server's list and from every later JOIN and LEAVE. Changed
 * only by the room's thread; any thread may {@link #look}. A user is a member from the JOIN of the
 * first device to the LEAVE of the last.
 *
 * <p>The list of a large room is cut: it counts all members, but names only the first by id. A JOIN
 * of a user after the last named id may come from a user who was already counted and came back
 * without a LEAVE, as after a server failure. It is counted as one more, which is the usual case,
 * and the count is then in doubt. So it is after the LEAVE of such a user's device, because the
 * user may have others. A LEAVE is shown only for a known member.
 */
final class Crowd {

  /** The change of an event that changed nothing. */
  static final People.Change UNCHANGED = new Values.ChangeValue(List.of(), List.of(), 0);

  private final Map<String, Member> names = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> devices = new HashMap<>(); // by user id
  private final AtomicInteger nameless =
      new AtomicInteger(); // members that the list counts but does not name
  private volatile boolean isComplete;
  private @Nullable String
      cutBehind; // the list names every member up to this id; null: it names all
  private boolean isInDoubt;

  People look() {
    return new Values.PeopleValue(count(), isComplete, Map.copyOf(names));
  }

  private int count() {
    return names.size() + nameless.get();
  }

  /** Returns whether a user may have been counted twice. */
  boolean isInDoubt() {
    return isInDoubt;
  }

  private boolean isNamed(String id) {
    return cutBehind == null || id.compareTo(cutBehind) <= 0;
  }

  /** Applies the JOIN or LEAVE of a broadcast. */
  People.Change follow(JsonObject broadcast) {
    return switch (Frames.text(broadcast, Frames.TYPE)) {
      case "JOIN" -> joined(Values.memberOf(broadcast), Frames.device(broadcast));
      case "LEAVE" -> left(Values.userOf(broadcast), Frames.device(broadcast));
      default -> UNCHANGED;
    };
  }

  private People.Change joined(Member user, String device) {
    devicesOf(user).add(device);
    Member before = names.put(user.id(), user);
    if (before != null) {
      boolean isSame = Objects.equals(before.data(), user.data());
      return isSame ? UNCHANGED : new Values.ChangeValue(List.of(), List.of(), count());
    }
    isInDoubt |= !isNamed(user.id());
    return new Values.ChangeValue(List.of(user), List.of(), count());
  }

  private Set<String> devicesOf(User user) {
    return devices.computeIfAbsent(user.id(), ignored -> new HashSet<>());
  }

  private People.Change left(User user, String device) {
    Set<String> others = devicesOf(user);
    others.remove(device);
    if (!others.isEmpty()) {
      return UNCHANGED;
    }
    devices.remove(user.id());
    boolean isNamed = isNamed(user.id());
    boolean hadName = names.remove(user.id()) != null;
    if (!hadName && isNamed) {
      return UNCHANGED;
    }
    isInDoubt |= !isNamed && !device.isEmpty();
    if (!hadName) {
      nameless.updateAndGet(some -> Math.max(some - 1, 0));
    }
    return new Values.ChangeValue(List.of(), List.of(user), count());
  }

  /**
   * Replaces the known members by the server's list; {@code own} is a member with its device and
   * data whether it is named or not.
   */
  People.Change list(JsonObject list, Member own, String device) {
    Map<String, Member> before = Map.copyOf(names);
    names.clear();
    devices.clear();
    String last = "";
    for (JsonObject member : Frames.objects(list, "members")) {
      Member user = Values.memberOf(member);
      names.put(user.id(), user);
      devicesOf(user).addAll(devices(member));
      last = user.id();
    }
    cutBehind = Frames.number(list, "count") > names.size() ? last : null;
    isComplete = Frames.is(list, "complete");
    Member listed = names.getOrDefault(own.id(), own);
    names.put(own.id(), new Values.MemberValue(own.id(), own.name(), listed.data()));
    devicesOf(own).add(device);
    recount(list);
    return new Values.ChangeValue(
        those(names.values(), user -> !before.containsKey(user.id())),
        List.copyOf(
            those(before.values(), user -> !names.containsKey(user.id()) && isNamed(user.id()))),
        count());
  }

  private static List<String> devices(JsonObject member) {
    return member.get("devices") instanceof JsonArray names
        ? names.asList().stream().map(JsonElement::getAsString).toList()
        : List.of("");
  }

  private static List<Member> those(Collection<Member> users, Predicate<Member> which) {
    return users.stream().filter(which).toList();
  }

  /** Applies a new count from the server. */
  People.Change recount(JsonObject list) {
    nameless.set((int) Math.max(Frames.number(list, "count") - names.size(), 0));
    isInDoubt = false;
    return new Values.ChangeValue(List.of(), List.of(), count());
  }
}
