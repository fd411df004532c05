package dev.chatflow.presence;

import dev.chatflow.room.UserDevice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The members of lost lanes whose rooms have not been notified: each one until its LEAVE or a newer
 * JOIN of the same device was read.
 *
 * <p>One thread. Counted by the {@link PresenceLimit} like all members.
 */
final class LostServerMembers {

  private record Member(String room, UserDevice who) {}

  private final PresenceLimit bound;
  private final Map<Member, Person> presence = new HashMap<>();
  private final Queue<Member> unsent = new ArrayDeque<>();
  private long lastBeat;

  LostServerMembers(PresenceLimit bound) {
    this.bound = bound;
  }

  void add(List<Page.Listed> members, long beat) {
    lastBeat = beat;
    for (Page.Listed each : members) {
      Member key = new Member(each.room(), each.person().who());
      forget(key);
      boolean _ = bound.take(true); // it was counted before
      presence.put(key, each.person());
      unsent.add(key);
    }
  }

  /** Removes a member who is back; rooms are not notified of the absence. */
  void joined(String room, UserDevice who) {
    forget(new Member(room, who));
  }

  void left(String room, UserDevice who, String connectionId) {
    Member key = new Member(room, who);
    Person known = presence.get(key);
    if (known != null && known.connectionId().equals(connectionId)) {
      forget(key);
    }
  }

  private void forget(Member key) {
    @Nullable Person known = presence.remove(key);
    if (known != null) {
      bound.giveBack(1);
    }
  }

  /** Returns the members whose LEAVEs this server publishes next, at most this many. */
  List<Page.Listed> say(int most) {
    List<Page.Listed> some = new ArrayList<>();
    while (some.size() < most && !unsent.isEmpty()) {
      Member next = unsent.remove();
      Person person = presence.get(next);
      if (person != null) {
        some.add(new Page.Listed(next.room(), person));
      }
    }
    return some;
  }

  /** Returns the beat at which the last lane was lost. */
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
