package dev.chatflow.support;

/**
 * Computes the waits between failed attempts: each is twice as long as the one before, up to a
 * bound.
 *
 * <p>One thread. Has no clock: the caller waits.
 */
public final class BackOff {

  private final int startMillis;
  private final int firstMillis;
  private final int maxMillis;
  private int nextMillis;

  /** Starts with {@code firstMillis}; at most {@code maxMillis}. */
  public BackOff(int firstMillis, int maxMillis) {
    this(firstMillis, firstMillis, maxMillis);
  }

  private BackOff(int startMillis, int firstMillis, int maxMillis) {
    if (firstMillis < 1 || maxMillis < firstMillis || maxMillis > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          "waits from " + firstMillis + " to " + maxMillis + " ms cannot be");
    }
    this.startMillis = startMillis;
    this.firstMillis = firstMillis;
    this.maxMillis = maxMillis;
    this.nextMillis = startMillis;
  }

  /** As the constructor, but the first wait is 0. */
  public static BackOff atOnceThen(int firstMillis, int maxMillis) {
    return new BackOff(0, firstMillis, maxMillis);
  }

  /** Returns the next wait, in ms. */
  public int nextMillis() {
    int now = nextMillis;
    nextMillis = Math.clamp(2L * now, firstMillis, maxMillis);
    return now;
  }

  /** Starts again with the first wait, after a success. */
  public void reset() {
    nextMillis = startMillis;
  }
}
