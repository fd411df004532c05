package dev.chatflow.room;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a room log: direct memory that holds the log's bytes from one position on.
 *
 * <p>The appender writes; any writer reads what is before a tail it has seen. {@link #spoil} by any
 * thread. All positions are positions of the log.
 */
final class Segment {

  private final ByteBuffer bytes;

  // Written by the appender before it publishes the new tail.
  private long start;
  private @Nullable Boundary firstFrame;

  private volatile boolean spoiled;

  Segment(int size) {
    bytes = ByteBuffer.allocateDirect(size);
  }

  /** Prepares a pooled segment for its next log. */
  void beginAt(long position) {
    start = position;
    firstFrame = null;
  }

  int size() {
    return bytes.capacity();
  }

  /** Returns the position of its first byte. */
  long start() {
    return start;
  }

  /** Returns the position after its last byte. */
  long end() {
    return start + bytes.capacity();
  }

  /** Notes that a frame begins here; the first one is kept. */
  void frameBegins(Boundary at) {
    if (firstFrame == null) {
      firstFrame = at;
    }
  }

  /** Returns where the first frame of this segment begins; null if there is none yet. */
  @Nullable Boundary firstFrame() {
    return firstFrame;
  }

  void put(long position, byte[] source, int from, int length) {
    bytes.put((int) (position - start), source, from, length);
  }

  byte get(long position) {
    return bytes.get((int) (position - start));
  }

  void get(long position, byte[] target, int to, int length) {
    bytes.get((int) (position - start), target, to, length);
  }

  /** Returns its bytes between two positions. */
  ByteBuffer view(long from, long to) {
    long first = Math.max(from, start);
    return bytes.slice((int) (first - start), (int) (Math.min(to, end()) - first));
  }

  /**
   * Marks it as not reusable: a transport may still read its bytes after its write was abandoned.
   */
  void spoil() {
    spoiled = true;
  }

  boolean isSpoiled() {
    return spoiled;
  }
}
