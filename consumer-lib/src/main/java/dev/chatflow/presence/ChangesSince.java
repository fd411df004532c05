package dev.chatflow.presence;

import java.util.HashSet;
import java.util.Set;

/**
 * What was read since the own request was: what answers may name, and whom they know less of than
 * the log said since. One thread; of the log one entry for each JOIN and LEAVE while answers are
 * missing.
 */
final class ChangesSince {

  private record User(String room, String userId) {}

  private record Stay(String room, String userId, String connectionId) {}

  private final Set<Page.Request> requests = new HashSet<>();
  private final Set<User> joined = new HashSet<>();
  private final Set<Stay> left = new HashSet<>();
  private boolean settled;

  /** Begins with the own request. */
  ChangesSince(Page.Request own) {
    requests.add(own);
  }

  void requested(Page.Request request) {
    if (!settled) {
      requests.add(request);
    }
  }

  /** Whether an answer that names this was listed behind the own request. */
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
      left.add(new Stay(room, userId, connectionId));
    }
  }

  /** Whether the log said since who the user is, or that he is nobody. */
  boolean knowsBetter(String room, Person person) {
    return hasJoined(room, person.userId())
        || left.contains(new Stay(room, person.userId(), person.connectionId()));
  }

  boolean hasJoined(String room, String userId) {
    return joined.contains(new User(room, userId));
  }

  int size() {
    return joined.size() + left.size();
  }

  /** All have answered: nothing is kept any more, and no answer counts before another request. */
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
