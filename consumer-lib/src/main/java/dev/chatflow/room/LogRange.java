package dev.chatflow.room;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Whole frames of a room log from one position to another, readable until the write that was
 * started with them is done.
 */
public interface LogRange {

  /** Number of bytes, frame headers included. */
  int bytes();

  /**
   * The bytes as they stand in the log, frame headers included; views that the caller may consume.
   */
  ByteBuffer[] buffers();

  /** The payloads of the frames, in order, decoded. */
  void forEachText(Consumer<String> action);
}
