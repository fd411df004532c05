package dev.chatflow.client.plan;

/**
 * Users that begin together: the next wave begins when a fifth of this one has finished.
 *
 * @param textsEach TEXT messages of each of its users
 */
public record Wave(String name, int users, int textsEach) {
  public Wave {
    InvalidPlan.requireRange("users of phase " + name, users, 1, 1_000_000);
  }

  /** So many finished users let the next wave begin. */
  public int finishedForNext() {
    return Math.max(1, (int) Math.ceil(users * 0.2));
  }
}
