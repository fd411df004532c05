package dev.chatflow.client.record;

/**
 * Receives every written message and every received copy. Called by all load threads; times are
 * nanoseconds since the run's origin, users their global numbers.
 */
public interface Trace {
  /** Keeps nothing. */
  Trace NONE = new Ignoring(false);

  /** Keeps every message for the end of the run. */
  Trace MESSAGES = new Ignoring(true);

  void sent(int sender, int seq, long nanos);

  void received(int sender, int seq, int receiver, long nanos);

  /**
   * Returns whether {@link MessageFigures} are needed after the run, which costs 36 bytes a
   * message.
   */
  boolean keepsMessages();

  /** A trace that ignores its input. */
  record Ignoring(boolean keepsMessages) implements Trace {
    @Override
    public void sent(int sender, int seq, long nanos) {}

    @Override
    public void received(int sender, int seq, int receiver, long nanos) {}
  }
}
