package dev.chatflow.client.record;

/**
 * Is told every message written and every copy received. Called by all load threads; times are
 * nanoseconds since the run's origin, users their global numbers.
 */
public interface Trace {
  /** Keeps nothing. */
  Trace NONE =
      new Trace() {
        @Override
        public void sent(int sender, int seq, long nanos) {}

        @Override
        public void received(int sender, int seq, int receiver, long nanos) {}
      };

  void sent(int sender, int seq, long nanos);

  void received(int sender, int seq, int receiver, long nanos);
}
