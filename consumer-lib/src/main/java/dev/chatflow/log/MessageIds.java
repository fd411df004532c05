package dev.chatflow.log;

/**
 * The texts of the window, as 64-bit hashes with the place where each was met last.
 *
 * <p>One thread. A ring of hashes in the order of their places and a table by hash with linear
 * probing; both grow with what the window holds, some 40 bytes a text, and never shrink.
 */
final class MessageIds {

  private static final int FIRST_CAPACITY = 64;

  private final WindowPositions window;

  // The ring: hash and place of text number n in slot n mod length.
  private long[] hashes = new long[FIRST_CAPACITY];
  private long[] positions = new long[FIRST_CAPACITY];
  private long oldest;
  private long next;

  // By hash: the slot of where it was met last, plus 1; 0 where there is none.
  private int[] table = new int[2 * FIRST_CAPACITY];

  MessageIds(WindowPositions window) {
    this.window = window;
  }

  /** Remembers a text of the entry in hand; false when the window holds it already. */
  boolean add(long hash) {
    forget();
    if (next - oldest == hashes.length) {
      grow();
    }
    int cell = cellOf(hash);
    boolean isNew = table[cell] == 0;
    int slot = slot(next++);
    hashes[slot] = hash;
    positions[slot] = window.position();
    table[cell] = slot + 1;
    return isNew;
  }

  private void forget() {
    while (oldest < next && isOutOfWindow(positions[slot(oldest)])) {
      int slot = slot(oldest++);
      int cell = cellOf(hashes[slot]);
      if (table[cell] == slot + 1) { // else it was met again later
        empty(cell);
      }
    }
  }

  private boolean isOutOfWindow(long position) {
    return position < window.start();
  }

  /** The cell of a hash, or the empty one where it belongs. */
  private int cellOf(long hash) {
    int cell = home(hash);
    while (table[cell] != 0 && hashes[table[cell] - 1] != hash) {
      cell = after(cell);
    }
    return cell;
  }

  /** Empties a cell and moves up those behind it that it kept from their home. */
  private void empty(int cell) {
    int hole = cell;
    table[hole] = 0;
    for (int at = after(hole); table[at] != 0; at = after(at)) {
      int home = home(hashes[table[at] - 1]);
      boolean staysBehindHole = hole <= at ? hole < home && home <= at : hole < home || home <= at;
      if (!staysBehindHole) {
        table[hole] = table[at];
        table[at] = 0;
        hole = at;
      }
    }
  }

  private void grow() {
    int size = hashes.length;
    long[] moreHashes = new long[2 * size];
    long[] morePlaces = new long[2 * size];
    table = new int[4 * size];
    for (long n = oldest; n < next; n++) {
      int to = (int) (n & 2L * size - 1);
      moreHashes[to] = hashes[slot(n)];
      morePlaces[to] = positions[slot(n)];
    }
    hashes = moreHashes;
    positions = morePlaces;
    for (long n = oldest; n < next; n++) {
      table[cellOf(hashes[slot(n)])] = slot(n) + 1;
    }
  }

  private int slot(long number) {
    return (int) (number & hashes.length - 1);
  }

  /** The hash is well mixed: its low bits will do. */
  private int home(long hash) {
    return (int) (hash & table.length - 1);
  }

  private int after(int cell) {
    return cell + 1 & table.length - 1;
  }

  /** How many it holds. */
  int size() {
    return (int) (next - oldest);
  }
}
