package dev.chatflow.chat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the room: the server's list, and every JOIN and LEAVE behind it. Its room's thread
 * changes it, any may {@link #look}.
 *
 * <p>The list of a large room is cut: it names the first by id, and counts all. Behind the last
 * named, a JOIN may be of somebody who was counted already and came back without having left, as
 * everybody does whose server died. It counts as one more, which is the usual case, and leaves the
 * count in doubt. A LEAVE is shown only of who was there.
 */
final class Crowd {

  private final Map<String, User> names = new ConcurrentHashMap<>();
  private final AtomicInteger nameless = new AtomicInteger(); // in the room, but not in the list
  private volatile boolean isComplete;
  private @Nullable String cutBehind; // up to this id the list names everybody; null: it names all
  private boolean isInDoubt;

  static User userOf(JsonObject frame) {
    return new User(Frames.text(frame, Frames.USER), Frames.text(frame, "username"));
  }

  People look() {
    return new People(count(), isComplete, names);
  }

  private int count() {
    return names.size() + nameless.get();
  }

  /** Whether somebody may have been counted twice. */
  boolean isInDoubt() {
    return isInDoubt;
  }

  private boolean isNamed(String id) {
    return cutBehind == null || id.compareTo(cutBehind) <= 0;
  }

  /** What a broadcast says of them. */
  People.Change follow(JsonObject broadcast) {
    return switch (Frames.text(broadcast, Frames.TYPE)) {
      case "JOIN" -> joined(userOf(broadcast));
      case "LEAVE" -> left(userOf(broadcast));
      default -> People.Change.NONE;
    };
  }

  private People.Change joined(User user) {
    if (names.put(user.id(), user) != null) {
      return People.Change.NONE;
    }
    isInDoubt |= !isNamed(user.id());
    return new People.Change(List.of(user), List.of(), count());
  }

  private People.Change left(User user) {
    boolean hadName = names.remove(user.id()) != null;
    if (!hadName && isNamed(user.id())) {
      return People.Change.NONE;
    }
    if (!hadName) {
      nameless.updateAndGet(some -> Math.max(some - 1, 0));
    }
    return new People.Change(List.of(), List.of(user), count());
  }

  /** The server's list, which replaces what is known; {@code own} is in the room, named or not. */
  People.Change list(JsonObject list, User own) {
    Map<String, User> before = Map.copyOf(names);
    names.clear();
    String last = "";
    if (list.get("members") instanceof JsonArray members) {
      for (JsonElement member : members) {
        User user = userOf(member.getAsJsonObject());
        names.put(user.id(), user);
        last = user.id();
      }
    }
    int count = (int) Frames.number(list, "count");
    cutBehind = count > names.size() ? last : null;
    isComplete = Frames.is(list, "complete");
    names.put(own.id(), own);
    recount(count);
    return new People.Change(
        those(names.values(), user -> !before.containsKey(user.id())),
        those(before.values(), user -> !names.containsKey(user.id()) && isNamed(user.id())),
        count());
  }

  private static List<User> those(Collection<User> users, Predicate<User> which) {
    return users.stream().filter(which).toList();
  }

  /** How many the server says they are. */
  People.Change recount(int count) {
    nameless.set(Math.max(count - names.size(), 0));
    isInDoubt = false;
    return new People.Change(List.of(), List.of(), count());
  }
}
