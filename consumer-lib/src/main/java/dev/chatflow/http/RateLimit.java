package dev.chatflow.server.edge.admission;

/**
 * A token bucket of one second's messages.
 *
 * <p>One thread at a time: the container's, of its connection; for an address, whoever holds the
 * lock of {@link Addresses}.
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
    long full = fullAt == Long.MIN_VALUE || fullAt - nowNanos < 0 ? nowNanos : fullAt;
    long excess = full + nanosPerMessage - nowNanos - SECOND_NANOS;
    if (excess > 0) {
      return Math.max(1, excess / 1_000_000);
    }
    fullAt = full + nanosPerMessage;
    return 0;
  }
}
