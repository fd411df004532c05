package dev.chatflow.support;

/**
 * A token bucket with a capacity of one second.
 *
 * <p>Used by one thread at a time: the container's thread of a connection, or the holder of the
 * {@link AddressRates} lock.
 *
 * <p>Times are values of {@link System#nanoTime}, passed by the caller.
 */
public final class RateLimit {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final long nanosPerMessage;

  /** The time when the bucket will be full again if nothing is taken. */
  private long fullAt = Long.MIN_VALUE;

  public RateLimit(int messagesPerSecond) {
    this.nanosPerMessage = SECOND_NANOS / messagesPerSecond;
  }

  /** Takes a token; returns 0, or the ms (at least 1) to wait until there is one. */
  public long take(long nowNanos) {
    return take(nowNanos, 1);
  }

  /** As {@link #take(long)}, but takes only a fraction of a token: 16 takes a sixteenth. */
  long take(long nowNanos, int part) {
    long cost = nanosPerMessage / part;
    long full = fullAt == Long.MIN_VALUE || fullAt - nowNanos < 0 ? nowNanos : fullAt;
    long excess = full + cost - nowNanos - SECOND_NANOS;
    if (excess > 0) {
      return Math.max(1, excess / 1_000_000);
    }
    fullAt = full + cost;
    return 0;
  }

  /** Returns a token that was taken. */
  void giveBack() {
    fullAt -= nanosPerMessage;
  }
}
