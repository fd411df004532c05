package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Whether a load thread keeps up with its own work: how busy its loop is and how late it notices due
 * sends. Belongs to that thread.
 *
 * <p>An interval is saturated when the loop is busy for more than 90 %, or, in the open model, when the
 * 99th percentile of the lateness is above 5 ms and above a tenth of the median delivery.
 */
final class SelfHealth {
  private static final double BUSY = 0.9;
  private static final long LATE_MICROS = TimeUnit.MILLISECONDS.toMicros(5);
  private static final long MAX_MICROS = TimeUnit.HOURS.toMicros(1);

  private final LoadContext context;
  private final boolean open;
  private final Histogram lateness = new Histogram(MAX_MICROS, 3);
  private long sinceNanos;
  private long waitedBefore;

  SelfHealth(LoadContext context) {
    this.context = context;
    open = context.plan.pacing().model() == Pacing.Model.OPEN;
  }

  /** The main phase begins. */
  void start(long now) {
    sinceNanos = now;
    waitedBefore = context.transport.traffic().waitedNanos;
  }

  /** A due send was noticed this much after its time. */
  void noticed(long lateNanos) {
    lateness.recordValue(Math.min(lateNanos / 1000, MAX_MICROS));
  }

  /** An interval of the main phase ends; the delivery histogram is that of the interval. */
  void endInterval(long now) {
    long length = now - sinceNanos;
    long waited = context.transport.traffic().waitedNanos - waitedBefore;
    long busy = Math.clamp(length - waited, 0, Math.max(0, length));
    Tally tally = context.tally;
    tally.intervals++;
    tally.mainNanos += length;
    tally.busyNanos += busy;
    if (busy > length * BUSY || isLate()) {
      tally.saturatedIntervals++;
    }
    lateness.reset();
    start(now);
  }

  private boolean isLate() {
    long late = lateness.getValueAtPercentile(99);
    Histogram delivery = context.recorder.active().of(Series.DELIVERY, Clock.SERVICE);
    return open && late > Math.max(LATE_MICROS, delivery.getValueAtPercentile(50) / 10);
  }
}
