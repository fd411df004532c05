package dev.chatflow.log;

/**
 * Numbers the entries of a shard's log as they are read, and knows where the window of the one in
 * hand begins.
 *
 * <p>One thread. Holds one number for each entry of the window.
 */
final class WindowPositions {

  private final WindowBounds bounds;
  // Bodies of the window's entries and of the one in hand, place p in slot p mod length.
  private final int[] sizes;

  private long position = -1;
  private long start;
  private long bytes;

  WindowPositions(WindowBounds bounds) {
    this.bounds = bounds;
    this.sizes = new int[bounds.entries() + 1];
  }

  /** Turns to the next entry, whose body has so many bytes: its window is that before it. */
  void next(int bodyBytes) {
    position++;
    shrink();
    sizes[slot(position)] = bodyBytes;
    bytes += bodyBytes;
  }

  /** Drops what is out of bounds; the entry in hand is not counted yet. */
  private void shrink() {
    while (position - start > bounds.entries() || bytes > bounds.bytes()) {
      bytes -= sizes[slot(start++)];
    }
  }

  private int slot(long at) {
    return (int) (at % sizes.length);
  }

  /** The place of the entry in hand: 0 for the first that was read, -1 before it. */
  long position() {
    return position;
  }

  /** The first place of the window of the entry in hand; its own place when the window is empty. */
  long start() {
    return start;
  }

  /**
   * Whether the window of the entry in hand reaches behind the first entry that was read: some of
   * it is not known.
   */
  boolean isCutShort() {
    return start == 0 && position < bounds.entries();
  }
}
