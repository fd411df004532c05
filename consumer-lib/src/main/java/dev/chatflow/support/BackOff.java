package dev.chatflow.support;

/**
 * Waits between tries that fail: each twice as long as the one before, up to a bound.
 *
 * <p>One thread. Knows no clock: the caller waits.
 */
public final class BackOff {

  private final int startMillis;
  private final int firstMillis;
  private final int maxMillis;
  private int nextMillis;

  /** Begins with {@code firstMillis}; at most {@code maxMillis}. */
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

  /** The same, but the first try again comes at once. */
  public static BackOff atOnceThen(int firstMillis, int maxMillis) {
    return new BackOff(0, firstMillis, maxMillis);
  }

  /** How long to wait now, in ms. */
  public int nextMillis() {
    int now = nextMillis;
    nextMillis = Math.clamp(2L * now, firstMillis, maxMillis);
    return now;
  }

  /** A try went well: begins anew. */
  public void reset() {
    nextMillis = startMillis;
  }
}
