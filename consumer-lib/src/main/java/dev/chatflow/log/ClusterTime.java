package dev.chatflow.log;

import java.util.function.LongSupplier;

/**
 * The clock that ranks JOINs. It runs with this server's monotonic clock and stays above every time
 * this server has read, so a server that has read a JOIN stamps above it, even with a wrong wall
 * clock.
 *
 * <p>Thread-safe. Times are in ms since the epoch, based on the server's wall clock at its start.
 */
public final class ClusterTime {

  private final LongSupplier nanos;
  private final long startNanos;
  private final long startMillis;

  // Guarded by this.
  private long last;

  /**
   * Starts the clock.
   *
   * @param nanos a monotonic clock
   * @param startMillis the current wall-clock time
   */
  public ClusterTime(LongSupplier nanos, long startMillis) {
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.startMillis = startMillis;
    this.last = startMillis;
  }

  /** Returns the time of a JOIN or an entry: above every time handed out or read so far. */
  public synchronized long next() {
    last = Math.max(last + 1, now());
    return last;
  }

  /** Notes the build time of an entry that was read. */
  public synchronized void read(long time) {
    last = Math.max(last, time);
  }

  /** Returns this server's own time in ms, regardless of what was read. */
  public long now() {
    return startMillis + (nanos.getAsLong() - startNanos) / 1_000_000;
  }
}
