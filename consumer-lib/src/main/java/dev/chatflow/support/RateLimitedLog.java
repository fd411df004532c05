package dev.chatflow.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits log lines that would otherwise flood the log: allows one per interval and counts the
 * others.
 *
 * <p>Thread-safe. Times are values of {@link System#nanoTime}, passed by the caller.
 */
public final class RateLimitedLog {

  /** Returned by {@link #take} for a line that must not be logged. */
  public static final long NOT_NOW = -1;

  private final long everyNanos;
  private final AtomicLong nextNanos;
  private final AtomicLong held = new AtomicLong();

  /** Allows the first line at once. */
  public RateLimitedLog(Duration every, long nowNanos) {
    this.everyNanos = every.toNanos();
    this.nextNanos = new AtomicLong(nowNanos);
  }

  /**
   * Returns the number of lines held back since the last one if this line may be logged, else
   * {@link #NOT_NOW}.
   */
  public long take(long nowNanos) {
    long next = nextNanos.get();
    if (nowNanos - next >= 0 && nextNanos.compareAndSet(next, nowNanos + everyNanos)) {
      return held.getAndSet(0);
    }
    held.incrementAndGet();
    return NOT_NOW;
  }
}
