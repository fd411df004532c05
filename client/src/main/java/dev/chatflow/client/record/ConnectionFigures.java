package dev.chatflow.client.record;

/**
 * The received messages of one connection in the main window. Some programs base their statistics
 * on these means.
 *
 * @param server index of its URL
 * @param windowNanos first due send of the room to this connection's last delivery
 */
public record ConnectionFigures(
    int room, int server, long received, long latencyNanosSum, long windowNanos) {

  public double meanMillis() {
    return received == 0 ? 0 : latencyNanosSum / 1e6 / received;
  }

  public double receivedPerSecond() {
    return windowNanos <= 0 ? 0 : received * 1e9 / windowNanos;
  }
}
