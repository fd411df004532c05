package dev.chatflow.lab.crowd;

/**
 * What one member got of each member of its room, judged as it comes. Belongs to one thread.
 *
 * <p>Of each sender the numbers 0, 1, 2, … are expected. What comes behind a later one is out of
 * order; of the last 64 numbers up to the greatest it is known whether they came, what is older
 * counts as repeated.
 */
final class Receipts {
  private final int[] next;

  /** Bit i: whether the number i + 1 below {@link #next} came. */
  private final long[] before;

  private long taken;
  private long misordered;
  private long repeated;

  Receipts(int senders) {
    next = new int[senders];
    before = new long[senders];
  }

  /** Whether it came for the first time. */
  boolean take(int sender, int number) {
    int ahead = number - next[sender];
    if (ahead < 0 && !isLate(sender, -ahead - 1)) {
      repeated++;
      return false;
    }
    if (ahead >= 0) {
      before[sender] = ahead < Long.SIZE - 1 ? before[sender] << (ahead + 1) | 1 : 1;
      next[sender] = number + 1;
    }
    taken++;
    return true;
  }

  private boolean isLate(int sender, int back) {
    if (back >= Long.SIZE || (before[sender] >>> back & 1) != 0) {
      return false;
    }
    before[sender] |= 1L << back;
    misordered++;
    return true;
  }

  /** Messages, each counted once. */
  long taken() {
    return taken;
  }

  /** Those of {@link #taken} that came behind a later one of the same sender. */
  long misordered() {
    return misordered;
  }

  long repeated() {
    return repeated;
  }
}
