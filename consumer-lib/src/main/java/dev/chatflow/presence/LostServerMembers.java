package dev.chatflow.presence;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The members of lanes that are gone, as long as their rooms have not been told: until the LEAVE of
 * each was read, or a newer JOIN of the user.
 *
 * <p>One thread. Bounded with all people by a {@link PresenceLimit}, for they were among them.
 */
final class LostServerMembers {

  private record Stay(String room, String userId) {}

  private final PresenceLimit bound;
  private final Map<Stay, Person> presence = new HashMap<>();
  private final Queue<Stay> unsent = new ArrayDeque<>();
  private long lastBeat;

  LostServerMembers(PresenceLimit bound) {
    this.bound = bound;
  }

  void add(List<Page.Listed> members, long beat) {
    lastBeat = beat;
    for (Page.Listed each : members) {
      Stay stay = new Stay(each.room(), each.person().userId());
      forget(stay);
      boolean _ = bound.take(true); // it had a place until now
      presence.put(stay, each.person());
      unsent.add(stay);
    }
  }

  /** The user is back: nobody is told that he was away. */
  void joined(String room, String userId) {
    forget(new Stay(room, userId));
  }

  void left(String room, String userId, String connectionId) {
    Stay stay = new Stay(room, userId);
    Person known = presence.get(stay);
    if (known != null && known.connectionId().equals(connectionId)) {
      forget(stay);
    }
  }

  private void forget(Stay stay) {
    @Nullable Person known = presence.remove(stay);
    if (known != null) {
      bound.giveBack(1);
    }
  }

  /** At most so many whose LEAVEs this server has not said yet, and now does. */
  List<Page.Listed> say(int most) {
    List<Page.Listed> some = new ArrayList<>();
    while (some.size() < most && !unsent.isEmpty()) {
      Stay next = unsent.remove();
      Person person = presence.get(next);
      if (person != null) {
        some.add(new Page.Listed(next.room(), person));
      }
    }
    return some;
  }

  /** The beat at which a lane was lost last. */
  long lastBeat() {
    return lastBeat;
  }

  boolean isEmpty() {
    return presence.isEmpty();
  }

  void clear() {
    bound.giveBack(presence.size());
    presence.clear();
    unsent.clear();
  }
}
