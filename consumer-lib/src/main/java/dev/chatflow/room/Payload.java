package dev.chatflow.room;

import java.util.Arrays;

/**
 * The bytes of one text frame to come: UTF-8, without a frame header.
 *
 * <p>Borrowed: whoever receives it copies what it keeps before it returns.
 *
 * @param bytes the array that holds them
 * @param offset index of the first byte
 * @param length number of bytes
 * @param name hash by which the frame is found again, see {@link FrameName#hash}
 */
@SuppressWarnings("ArrayRecordComponent") // a view for the hot path: never compared, never kept
public record Payload(byte[] bytes, int offset, int length, long name) {

  /** One that nobody looks for. */
  public Payload(byte[] bytes) {
    this(bytes, 0, bytes.length, 0);
  }

  /** Its bytes, to be kept. */
  public byte[] copy() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }
}
