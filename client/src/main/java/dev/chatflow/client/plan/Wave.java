package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;

/**
 * A group of users that start together: the next wave starts when a fifth of this one has finished.
 *
 * @param textsEach TEXT messages of each of its users
 */
public record Wave(String name, int users, int textsEach) {

  /** Receives the starts of waves, on the thread that causes them. */
  public interface Listener {
    /** A listener that does nothing. */
    Listener NONE =
        new Listener() {
          @Override
          public void begun(Wave wave) {}

          @Override
          public void fifthFinished(Wave wave) {}
        };

    void begun(Wave wave);

    void fifthFinished(Wave wave);
  }

  public Wave {
    CommandFailure.requireRange("users of phase " + name, users, 1, 1_000_000);
  }

  /** Returns the number of finished users after which the next wave starts. */
  public int finishedForNext() {
    return Math.max(1, (int) Math.ceil(users * 0.2));
  }
}
