package dev.chatflow.client.record;

/**
 * One message as its sender saw it.
 *
 * @param type TEXT, JOIN or LEAVE
 * @param writtenNanos since the run's origin
 * @param latencyNanos written to own copy; negative when none came
 */
public record MessageFigures(
    int room, int sender, int seq, String type, long writtenNanos, long latencyNanos) {
  /** Takes messages one by one. */
  public interface Sink {
    void take(MessageFigures message);
  }

  public boolean isAccepted() {
    return latencyNanos >= 0;
  }
}
