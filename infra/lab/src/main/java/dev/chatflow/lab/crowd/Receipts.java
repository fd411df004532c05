package dev.chatflow.lab.crowd;

/**
 * Checks the messages that one member receives from each member of its room. Belongs to one thread.
 *
 * <p>The numbers 0, 1, 2, … are expected from each sender. A number after a higher one is out of
 * order. The last 64 numbers up to the highest are remembered; older ones count as repeated.
 */
final class Receipts {
  private final int[] next;

  /** Bit i: whether the number i + 1 below {@link #next} arrived. */
  private final long[] before;

  private long taken;
  private long misordered;
  private long repeated;

  Receipts(int senders) {
    next = new int[senders];
    before = new long[senders];
  }

  /** Records a number and returns whether it is new. */
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

  /** Returns the number of different messages. */
  long taken() {
    return taken;
  }

  /**
   * Returns the number of {@link #taken} messages that arrived after a later one of their sender.
   */
  long misordered() {
    return misordered;
  }

  long repeated() {
    return repeated;
  }
}
