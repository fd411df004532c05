package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;

/**
 * Users that begin together: the next wave begins when a fifth of this one has finished.
 *
 * @param textsEach TEXT messages of each of its users
 */
public record Wave(String name, int users, int textsEach) {

  /** Is told of the waves of a run, on the thread that causes it. */
  public interface Listener {
    /** Nobody is told. */
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

  /** So many finished users let the next wave begin. */
  public int finishedForNext() {
    return Math.max(1, (int) Math.ceil(users * 0.2));
  }
}
