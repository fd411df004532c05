package dev.chatflow.presence;

import dev.chatflow.room.UserDevice;
import java.util.HashSet;
import java.util.Set;

/**
 * The changes read since this server's request for snapshots: the requests that a snapshot may
 * answer, and the members for whom the log is newer than a snapshot. One thread. Holds one element
 * per JOIN and LEAVE while snapshots are missing.
 */
final class ChangesSince {

  private record Member(String room, UserDevice who) {}

  private record MemberConnection(String room, UserDevice who, String connectionId) {}

  private final Set<Page.Request> requests = new HashSet<>();
  private final Set<Member> joined = new HashSet<>();
  private final Set<MemberConnection> left = new HashSet<>();
  private boolean settled;

  /** Starts with this server's request. */
  ChangesSince(Page.Request own) {
    requests.add(own);
  }

  void requested(Page.Request request) {
    if (!settled) {
      requests.add(request);
    }
  }

  /** Returns whether a snapshot that answers this request was taken after this server's request. */
  boolean isAnsweredBy(Page.Request request) {
    return requests.contains(request);
  }

  void joined(String room, UserDevice who) {
    if (!settled) {
      joined.add(new Member(room, who));
    }
  }

  void left(String room, UserDevice who, String connectionId) {
    if (!settled) {
      left.add(new MemberConnection(room, who, connectionId));
    }
  }

  /** Returns whether the log has a newer JOIN or LEAVE of the member. */
  boolean knowsBetter(String room, Person person) {
    return hasJoined(room, person.who())
        || left.contains(new MemberConnection(room, person.who(), person.connectionId()));
  }

  boolean hasJoined(String room, UserDevice who) {
    return joined.contains(new Member(room, who));
  }

  int size() {
    return joined.size() + left.size();
  }

  /** Clears everything, because all lanes have answered; later snapshots need a new request. */
  void settled() {
    settled = true;
    requests.clear();
    joined.clear();
    left.clear();
  }

  boolean isSettled() {
    return settled;
  }
}
