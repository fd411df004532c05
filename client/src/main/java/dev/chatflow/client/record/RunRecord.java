package dev.chatflow.client.record;

import java.time.Instant;
import java.util.List;

/**
 * The measurements of a finished run.
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

  /** Returns the recorded window, from the first due send to the last required delivery. */
  public long windowNanos() {
    return Math.max(0, lastDeliveryNanos - firstDueNanos);
  }

  public double windowSeconds() {
    return windowNanos() / 1e9;
  }
}
