package dev.chatflow.room;

import java.util.Arrays;

/**
 * The UTF-8 bytes of a text frame, without its header.
 *
 * <p>Borrowed: the receiver copies what it keeps before it returns.
 *
 * @param bytes the array that holds them
 * @param offset index of the first byte
 * @param length number of bytes
 * @param name hash by which the frame is found again, see {@link FrameName#hash}
 */
@SuppressWarnings("ArrayRecordComponent") // a view for the hot path: never compared, never kept
public record Payload(byte[] bytes, int offset, int length, long name) {

  /** Creates a payload that cannot be found by name. */
  public Payload(byte[] bytes) {
    this(bytes, 0, bytes.length, 0);
  }

  /** Returns a copy of the bytes. */
  public byte[] copy() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }
}
