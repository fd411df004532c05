package dev.chatflow.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets one of many through in each stretch of time, for log lines that would otherwise flood, and
 * counts the others.
 *
 * <p>Any thread. Times are those of {@link System#nanoTime}, given by the caller.
 */
public final class RateLimitedLog {

  /** What {@link #take} answers when it is not time. */
  public static final long NOT_NOW = -1;

  private final long everyNanos;
  private final AtomicLong nextNanos;
  private final AtomicLong held = new AtomicLong();

  /** The first one is let through. */
  public RateLimitedLog(Duration every, long nowNanos) {
    this.everyNanos = every.toNanos();
    this.nextNanos = new AtomicLong(nowNanos);
  }

  /** Lets one through: how many were held back since the last, or {@link #NOT_NOW}. */
  public long take(long nowNanos) {
    long next = nextNanos.get();
    if (nowNanos - next >= 0 && nextNanos.compareAndSet(next, nowNanos + everyNanos)) {
      return held.getAndSet(0);
    }
    held.incrementAndGet();
    return NOT_NOW;
  }
}
