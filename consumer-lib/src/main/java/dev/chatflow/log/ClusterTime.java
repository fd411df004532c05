package dev.chatflow.log;

import java.util.function.LongSupplier;

/**
 * The time that ranks JOINs: it runs with this server's monotonic clock and stays above whatever
 * this server has read, so that who has read a JOIN stamps above it, whatever his clock says.
 *
 * <p>Any thread. In ms since the epoch, as this server's wall clock had it at its start.
 */
public final class ClusterTime {

  private final LongSupplier nanos;
  private final long startNanos;
  private final long startMillis;

  // Guarded by this.
  private long last;

  /**
   * Starts it.
   *
   * @param nanos a clock that only moves forward
   * @param startMillis the wall clock now
   */
  public ClusterTime(LongSupplier nanos, long startMillis) {
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.startMillis = startMillis;
    this.last = startMillis;
  }

  /** The time of a JOIN or an entry: above every other that was handed out or read. */
  public synchronized long next() {
    last = Math.max(last + 1, now());
    return last;
  }

  /** An entry that was built at this time was read. */
  public synchronized void read(long time) {
    last = Math.max(last, time);
  }

  /** What this server's own clock says, in ms; what was read plays no part. */
  public long now() {
    return startMillis + (nanos.getAsLong() - startNanos) / 1_000_000;
  }
}
