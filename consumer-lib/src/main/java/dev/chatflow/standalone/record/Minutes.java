package dev.chatflow.standalone.record;

import java.util.concurrent.TimeUnit;

/**
 * Messages per minute of the last {@value #BUCKETS} minutes, by the time their servers accepted
 * them. One thread at a time.
 */
final class Minutes {

  static final int BUCKETS = 15;

  /** Clocks of servers may be ahead. */
  private static final int SLOTS = BUCKETS + 1;

  private final long[] minutes = new long[SLOTS];
  private final long[] counts = new long[SLOTS];

  /** Counts a message; one older than the buckets is left out, one from the future too. */
  void count(long serverMillis, long nowMillis) {
    long minute = minute(serverMillis);
    long now = minute(nowMillis);
    if (minute > now + 1 || minute <= now - BUCKETS) {
      return;
    }
    int slot = (int) (minute % SLOTS);
    if (minutes[slot] != minute) {
      minutes[slot] = minute;
      counts[slot] = 0;
    }
    counts[slot]++;
  }

  /** Adds the counts to {@code sums}: the last is that of the present minute. */
  void addTo(long[] sums, long nowMillis) {
    long first = minute(nowMillis) - BUCKETS + 1;
    for (int slot = 0; slot < SLOTS; slot++) {
      long bucket = minutes[slot] - first;
      if (bucket >= 0 && bucket < BUCKETS) {
        sums[(int) bucket] += counts[slot];
      }
    }
  }

  static long minute(long millis) {
    return TimeUnit.MILLISECONDS.toMinutes(millis);
  }
}
