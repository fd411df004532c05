package dev.chatflow.client.record;

/**
 * One message with the times of its sender.
 *
 * @param type TEXT, JOIN or LEAVE
 * @param writtenNanos since the run's origin
 * @param latencyNanos from write to echo; negative without an echo
 */
public record MessageFigures(
    int room, int sender, int seq, String type, long writtenNanos, long latencyNanos) {
  /** Receives messages one by one. */
  public interface Receiver {
    void take(MessageFigures message);
  }

  public boolean isAccepted() {
    return latencyNanos >= 0;
  }
}
