package dev.chatflow.room.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a room log: direct memory of the pool's segment size.
 *
 * <p>The appender writes; any writer reads what lies before a tail it has seen. {@link #spoil} by
 * any thread.
 */
final class Segment {

  private final ByteBuffer bytes;

  // Written by the appender before it publishes the tail behind it.
  private @Nullable Boundary firstFrame;

  private volatile boolean spoiled;

  Segment(int size) {
    bytes = ByteBuffer.allocateDirect(size);
  }

  /** Makes a segment of the pool ready for its next log. */
  void reset() {
    firstFrame = null;
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

  void put(int offset, byte[] source, int from, int length) {
    bytes.put(offset, source, from, length);
  }

  byte get(int offset) {
    return bytes.get(offset);
  }

  void get(int offset, byte[] target, int to, int length) {
    bytes.get(offset, target, to, length);
  }

  ByteBuffer view(int offset, int length) {
    return bytes.slice(offset, length);
  }

  /** A transport may still read these bytes after its write was given up: never use them again. */
  void spoil() {
    spoiled = true;
  }

  boolean isSpoiled() {
    return spoiled;
  }
}
