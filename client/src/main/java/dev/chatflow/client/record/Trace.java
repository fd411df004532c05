package dev.chatflow.client.record;

/**
 * Is told every message written and every copy received. Called by all load threads; times are
 * nanoseconds since the run's origin, users their global numbers.
 */
public interface Trace {
  /** Keeps nothing. */
  Trace NONE = new Untold(false);

  /** Wants every message as its sender saw it, once the run is over. */
  Trace MESSAGES = new Untold(true);

  void sent(int sender, int seq, long nanos);

  void received(int sender, int seq, int receiver, long nanos);

  /** Whether {@link MessageFigures} are asked for after the run: 36 bytes a message until then. */
  boolean keepsMessages();

  /** Is told in vain. */
  record Untold(boolean keepsMessages) implements Trace {
    @Override
    public void sent(int sender, int seq, long nanos) {}

    @Override
    public void received(int sender, int seq, int receiver, long nanos) {}
  }
}
