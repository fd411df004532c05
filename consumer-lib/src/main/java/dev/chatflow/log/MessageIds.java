package dev.chatflow.log;

/**
 * The texts of the window, as 64-bit hashes with the last position of each.
 *
 * <p>One thread. A ring of hashes in the order of their positions, and a hash table with linear
 * probing. Both grow with the window, use about 40 bytes per text, and never shrink.
 */
final class MessageIds {

  private static final int FIRST_CAPACITY = 64;

  private final WindowPositions window;

  // The ring: hash and position of text number n are in slot n mod length.
  private long[] hashes = new long[FIRST_CAPACITY];
  private long[] positions = new long[FIRST_CAPACITY];
  private long oldest;
  private long next;

  // By hash: the slot of its last occurrence plus 1; 0 for an empty cell.
  private int[] table = new int[2 * FIRST_CAPACITY];

  MessageIds(WindowPositions window) {
    this.window = window;
  }

  /** Adds a text of the current entry; false if the window contains it already. */
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

  /** Returns whether the window contains a text. */
  boolean has(long hash) {
    forget();
    return table[cellOf(hash)] != 0;
  }

  private void forget() {
    while (oldest < next && isOutOfWindow(positions[slot(oldest)])) {
      int slot = slot(oldest++);
      int cell = cellOf(hashes[slot]);
      if (table[cell] == slot + 1) { // otherwise it occurred again later
        empty(cell);
      }
    }
  }

  private boolean isOutOfWindow(long position) {
    return position < window.start();
  }

  /** Returns the cell of a hash, or the empty cell for it. */
  private int cellOf(long hash) {
    int cell = home(hash);
    while (table[cell] != 0 && hashes[table[cell] - 1] != hash) {
      cell = after(cell);
    }
    return cell;
  }

  /** Empties a cell and moves up the later ones that it displaced. */
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

  /** Returns the first cell of a hash: its low bits, which are well mixed. */
  private int home(long hash) {
    return (int) (hash & table.length - 1);
  }

  private int after(int cell) {
    return cell + 1 & table.length - 1;
  }

  /** Returns the number of texts. */
  int size() {
    return (int) (next - oldest);
  }
}
