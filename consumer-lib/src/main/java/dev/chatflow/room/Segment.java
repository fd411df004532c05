package dev.chatflow.room;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a room log: direct memory that holds the bytes of the log from one position on.
 *
 * <p>The appender writes; any writer reads what lies before a tail it has seen. {@link #spoil} by
 * any thread. All places are positions of the log.
 */
final class Segment {

  private final ByteBuffer bytes;

  // Written by the appender before it publishes the tail behind it.
  private long start;
  private @Nullable Boundary firstFrame;

  private volatile boolean spoiled;

  Segment(int size) {
    bytes = ByteBuffer.allocateDirect(size);
  }

  /** Makes a segment of the pool ready for its next log. */
  void beginAt(long position) {
    start = position;
    firstFrame = null;
  }

  int size() {
    return bytes.capacity();
  }

  /** The position of its first byte. */
  long start() {
    return start;
  }

  /** Behind its last byte. */
  long end() {
    return start + bytes.capacity();
  }

  /** A frame begins here; the first one is remembered. */
  void frameBegins(Boundary at) {
    if (firstFrame == null) {
      firstFrame = at;
    }
  }

  /** Where the first frame that begins in this segment begins; null when none does so far. */
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

  /** What it holds of the bytes between two positions. */
  ByteBuffer view(long from, long to) {
    long first = Math.max(from, start);
    return bytes.slice((int) (first - start), (int) (Math.min(to, end()) - first));
  }

  /** A transport may still read these bytes after its write was given up: never use them again. */
  void spoil() {
    spoiled = true;
  }

  boolean isSpoiled() {
    return spoiled;
  }
}
