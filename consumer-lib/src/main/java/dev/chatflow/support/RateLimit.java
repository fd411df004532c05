package dev.chatflow.support;

/**
 * A token bucket that holds what is allowed in one second.
 *
 * <p>One thread at a time: the container's, of its connection; for an address, whoever holds the
 * lock of {@link AddressRates}.
 *
 * <p>Times are those of {@link System#nanoTime}, given by the caller.
 */
public final class RateLimit {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final long nanosPerMessage;

  /** When the bucket will be full again, if nothing is taken. */
  private long fullAt = Long.MIN_VALUE;

  public RateLimit(int messagesPerSecond) {
    this.nanosPerMessage = SECOND_NANOS / messagesPerSecond;
  }

  /** Takes a token; 0, or the wait in ms (at least 1) until there is one. */
  public long take(long nowNanos) {
    return take(nowNanos, 1);
  }

  /** As {@link #take(long)}, but only the given part of a token: 16 takes a sixteenth. */
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
