package dev.chatflow.client.verify;

import java.util.BitSet;

/**
 * Which sequence numbers of one sender one receiver has; only kept once they did not come in a row.
 */
final class Seen {
  private final BitSet bits = new BitSet();
  private int highest;

  /** Starts with {@code 1 .. next - 1} seen. */
  Seen(int next) {
    bits.set(1, next);
    highest = next - 1;
  }

  boolean contains(int seq) {
    return bits.get(seq);
  }

  /** Adds a number that was not seen and returns whether it is the highest so far. */
  boolean add(int seq) {
    bits.set(seq);
    if (seq < highest) {
      return false;
    }
    highest = seq;
    return true;
  }

  int highest() {
    return highest;
  }

  int nextMissing(int from) {
    return bits.nextClearBit(from);
  }
}
