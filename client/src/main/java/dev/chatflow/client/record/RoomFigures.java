package dev.chatflow.client.record;

/**
 * What one room did in the main window.
 *
 * @param windowNanos first TEXT written to last TEXT delivered
 */
public record RoomFigures(
    int room,
    int users,
    long sent,
    long accepted,
    long delivered,
    long windowNanos,
    long echoNanosSum,
    double medianEchoMillis,
    double p99EchoMillis) {

  /**
   * A message in the order in which its room saw it.
   *
   * @param part of messages of two parts of a room is not known which stands first
   * @param joinMicros the low 31 bits of the time in a JOIN's head, which tells it from the others
   *     of its sender; 0 for what is no JOIN
   */
  public record Seen(int room, int part, String messageId, long joinMicros) {}

  /** Accepted messages per second of the room's own window. */
  public double throughput() {
    return windowNanos <= 0 ? 0 : accepted * 1e9 / windowNanos;
  }

  public double meanEchoMillis() {
    return accepted == 0 ? 0 : echoNanosSum / 1e6 / accepted;
  }
}
