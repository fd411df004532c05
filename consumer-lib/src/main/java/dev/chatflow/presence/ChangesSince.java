package dev.chatflow.presence;

import java.util.HashSet;
import java.util.Set;

/**
 * The changes read since this server's request for snapshots: the requests that a snapshot may
 * answer, and the members for whom the log is newer than a snapshot. One thread. Holds one element
 * per JOIN and LEAVE while snapshots are missing.
 */
final class ChangesSince {

  private record User(String room, String userId) {}

  private record MemberConnection(String room, String userId, String connectionId) {}

  private final Set<Page.Request> requests = new HashSet<>();
  private final Set<User> joined = new HashSet<>();
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

  void joined(String room, String userId) {
    if (!settled) {
      joined.add(new User(room, userId));
    }
  }

  void left(String room, String userId, String connectionId) {
    if (!settled) {
      left.add(new MemberConnection(room, userId, connectionId));
    }
  }

  /** Returns whether the log has a newer JOIN or LEAVE of the user. */
  boolean knowsBetter(String room, Person person) {
    return hasJoined(room, person.userId())
        || left.contains(new MemberConnection(room, person.userId(), person.connectionId()));
  }

  boolean hasJoined(String room, String userId) {
    return joined.contains(new User(room, userId));
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
