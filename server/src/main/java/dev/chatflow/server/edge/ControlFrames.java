package dev.chatflow.server.edge;

/**
 * Counts what one connection sends beside its messages: pings and pongs, which the container takes
 * without a word. They have a rate of their own, as high as that of messages; {@value Faults#LIMIT}
 * beyond a second's worth of it are a flood.
 *
 * <p>The container's thread counts pieces of messages, the timer's looks. Times are those of {@link
 * System#nanoTime}, given by the caller.
 */
public final class ControlFrames {

  private static final double SECOND_NANOS = 1e9;

  private final int perSecond;

  /** A piece is a frame, or less: so what is left of all frames is never too much. */
  private volatile long pieces;

  // The timer's thread's.
  private long seen;
  private long lookedAt;
  private double excess;

  public ControlFrames(int perSecond, long nowNanos) {
    this.perSecond = perSecond;
    this.lookedAt = nowNanos;
  }

  /** A piece of a message has come; one thread at a time calls. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void piece() {
    pieces++;
  }

  /**
   * Whether more have come than a connection may send.
   *
   * @param frames all that were read of it, of any kind
   */
  public boolean isFlood(long frames, long nowNanos) {
    long now = frames - pieces;
    double allowed = perSecond * ((nowNanos - lookedAt) / SECOND_NANOS);
    excess = Math.max(0, excess + (now - seen) - allowed);
    seen = now;
    lookedAt = nowNanos;
    return excess > perSecond + Faults.LIMIT;
  }
}
