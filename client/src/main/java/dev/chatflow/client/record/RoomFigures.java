package dev.chatflow.client.record;

/**
 * The figures of one room in the main window.
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
   * A message in the order of its room.
   *
   * @param part the part of the order; the relation of two parts is unknown
   * @param joinMicros the low 31 bits of the time in a JOIN's head, which distinguish the sender's
   *     JOINs; 0 for other messages
   */
  public record SeenMessage(int room, int part, String messageId, long joinMicros) {}

  /** Returns the accepted messages per second of the room's own window. */
  public double throughput() {
    return windowNanos <= 0 ? 0 : accepted * 1e9 / windowNanos;
  }

  public double meanEchoMillis() {
    return accepted == 0 ? 0 : echoNanosSum / 1e6 / accepted;
  }
}
