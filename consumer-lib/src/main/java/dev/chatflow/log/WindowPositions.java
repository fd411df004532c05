package dev.chatflow.log;

/**
 * Numbers the entries of a shard's log as they are read, and tracks where the window of the current
 * entry begins.
 *
 * <p>One thread. Holds one number per entry of the window.
 */
final class WindowPositions {

  private final WindowBounds bounds;
  // Body sizes of the window's entries and the current one; position p is in slot p mod length.
  private final int[] sizes;

  private long position = -1;
  private long start;
  private long bytes;
  private long bytesRead;

  WindowPositions(WindowBounds bounds) {
    this.bounds = bounds;
    this.sizes = new int[bounds.entries() + 1];
  }

  /** Moves to the next entry, with this body size; its window is the entries before it. */
  void next(int bodyBytes) {
    position++;
    shrink();
    sizes[slot(position)] = bodyBytes;
    bytes += bodyBytes;
    bytesRead += bodyBytes;
  }

  /** Drops entries beyond the bounds; the current entry is not counted yet. */
  private void shrink() {
    while (position - start > bounds.entries() || bytes > bounds.bytes()) {
      bytes -= sizes[slot(start++)];
    }
  }

  private int slot(long at) {
    return (int) (at % sizes.length);
  }

  /** Returns the position of the current entry: 0 for the first one, -1 before it. */
  long position() {
    return position;
  }

  /** Returns the bytes of all entries so far, with the current one. */
  long bytesRead() {
    return bytesRead;
  }

  /**
   * Returns the first position in the window of the current entry, or its own position if the
   * window is empty.
   */
  long start() {
    return start;
  }

  /**
   * Returns whether the window of the current entry extends before the first entry that was read,
   * so that a part of it is unknown.
   */
  boolean isCutShort() {
    return start == 0 && position < bounds.entries();
  }
}
