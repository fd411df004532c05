package dev.chatflow.server.edge;

/**
 * Counts the pings and pongs of one connection, which the container handles itself. They have their
 * own rate limit, equal to that of messages; {@value Faults#LIMIT} beyond a second's worth of it
 * are a flood.
 *
 * <p>The container's thread counts pieces of messages, the timer's thread checks. Times are values
 * of {@link System#nanoTime}, passed by the caller.
 */
public final class ControlFrames {

  private static final double SECOND_NANOS = 1e9;

  private final int perSecond;

  /**
   * Every piece is a frame or a part of one, so the remaining number of frames is never
   * overestimated.
   */
  private volatile long pieces;

  // Used only by the timer's thread.
  private long seen;
  private long lookedAt;
  private double excess;

  public ControlFrames(int perSecond, long nowNanos) {
    this.perSecond = perSecond;
    this.lookedAt = nowNanos;
  }

  /** Counts a piece of a message; one thread at a time calls. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void piece() {
    pieces++;
  }

  /**
   * Returns whether a connection has sent more than allowed.
   *
   * @param frames number of frames of any kind read from it
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
