package dev.chatflow.client.record;

import java.time.Instant;
import java.util.List;

/**
 * Everything a finished run measured.
 *
 * @param firstDueNanos the first due send, since the run's origin
 * @param lastDeliveryNanos the last TEXT delivery, since the run's origin
 * @param gaveUp whether required deliveries were outstanding at the end of the drain
 * @param ended why the run ended
 */
public record RunRecord(
    Instant started,
    PhaseTimes phases,
    Tally tally,
    Traffic traffic,
    SeriesSet series,
    HalfSeconds halves,
    List<RoomFigures> rooms,
    List<ConnectionFigures> connections,
    List<SenderFigures> senders,
    long firstDueNanos,
    long lastDeliveryNanos,
    boolean interrupted,
    boolean gaveUp,
    String ended) {

  /** The recorded window: first due send to last required delivery. */
  public long windowNanos() {
    return Math.max(0, lastDeliveryNanos - firstDueNanos);
  }

  public double windowSeconds() {
    return windowNanos() / 1e9;
  }
}
