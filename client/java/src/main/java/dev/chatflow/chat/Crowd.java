package dev.chatflow.chat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the room, corrected by every JOIN and LEAVE. Its room's thread changes it, any may
 * {@link #look}.
 */
final class Crowd {

  private final Map<String, User> names = new ConcurrentHashMap<>();
  private @Nullable Map<String, @Nullable User> since; // happened while a list is on its way
  private volatile int nameless; // in the room, but not in the list
  private volatile boolean isComplete;

  static User userOf(JsonObject frame) {
    return new User(Frames.text(frame, Frames.USER), Frames.text(frame, "username"));
  }

  People look() {
    return new People(count(), isComplete, names);
  }

  private int count() {
    return names.size() + nameless;
  }

  /** A list is asked for: what happens until it comes counts behind it. */
  void expectList() {
    since = new LinkedHashMap<>();
  }

  /** What a broadcast says of them. */
  People.Change follow(JsonObject broadcast) {
    return switch (Frames.text(broadcast, Frames.TYPE)) {
      case "JOIN" -> joined(userOf(broadcast));
      case "LEAVE" -> left(Frames.text(broadcast, Frames.USER));
      default -> People.Change.NONE;
    };
  }

  private People.Change joined(User user) {
    if (since != null) {
      since.put(user.id(), user);
    }
    if (names.put(user.id(), user) != null) {
      return People.Change.NONE;
    }
    return new People.Change(List.of(user), List.of(), count());
  }

  private People.Change left(String id) {
    if (since != null) {
      since.put(id, null);
    }
    User user = names.remove(id);
    if (user == null) {
      return People.Change.NONE;
    }
    return new People.Change(List.of(), List.of(user), count());
  }

  /** The server's list; of a large room it may be a part, with the count of all. */
  People.Change list(JsonObject list) {
    Map<String, User> before = new HashMap<>(names);
    names.clear();
    if (list.get("members") instanceof JsonArray members) {
      for (JsonElement member : members) {
        User user = userOf(member.getAsJsonObject());
        names.put(user.id(), user);
      }
    }
    isComplete = Frames.is(list, "complete");
    nameless = Math.max((int) Frames.number(list, "count") - names.size(), 0);
    catchUp();
    return new People.Change(without(names, before), without(before, names), count());
  }

  private void catchUp() {
    Map<String, @Nullable User> missed = since == null ? Map.of() : since;
    since = null;
    missed.forEach((id, user) -> {
      var _ = user == null ? left(id) : joined(user);
    });
  }

  private static List<User> without(Map<String, User> all, Map<String, User> others) {
    List<User> rest = new ArrayList<>(all.values());
    rest.removeIf(user -> others.containsKey(user.id()));
    return rest;
  }
}
