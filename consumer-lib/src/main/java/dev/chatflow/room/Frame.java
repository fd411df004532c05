package dev.chatflow.room;

import java.nio.ByteBuffer;

/**
 * Encodes server frames (RFC 6455 section 5.2): final, unmasked, of any length.
 *
 * <p>Stateless.
 */
public final class Frame {

  /** The length code of a frame with a two-byte length. */
  static final int TWO_BYTE_LENGTH = 126;

  /** The length code of a frame with an eight-byte length. */
  static final int EIGHT_BYTE_LENGTH = 127;

  static final int MAX_HEADER_BYTES = 10;

  private static final byte FINAL_TEXT = (byte) 0x81;
  private static final byte PING = (byte) 0x89;

  private Frame() {}

  /** Returns a complete text frame with this UTF-8 payload, ready to be read. */
  public static ByteBuffer text(byte[] payload) {
    byte[] header = new byte[MAX_HEADER_BYTES];
    int bytes = header(payload.length, header);
    return ByteBuffer.allocate(bytes + payload.length).put(header, 0, bytes).put(payload).flip();
  }

  /** Returns a complete ping without payload, ready to be read. */
  public static ByteBuffer ping() {
    return ByteBuffer.wrap(new byte[] {PING, 0});
  }

  /** Writes the header of a payload of {@code length} bytes; returns the header's length. */
  static int header(int length, byte[] target) {
    int code = lengthCode(length);
    int bytes = headerBytes(code);
    target[0] = FINAL_TEXT;
    target[1] = (byte) code;
    long rest = length;
    for (int i = bytes - 1; i > 1; i--) {
      target[i] = (byte) rest;
      rest >>>= 8;
    }
    return bytes;
  }

  /** Returns the length of a header whose second byte is {@code code}. */
  static int headerBytes(int code) {
    return switch (code) {
      case TWO_BYTE_LENGTH -> 4;
      case EIGHT_BYTE_LENGTH -> MAX_HEADER_BYTES;
      default -> 2;
    };
  }

  private static int lengthCode(int length) {
    if (length < TWO_BYTE_LENGTH) {
      return length;
    }
    return length <= 0xffff ? TWO_BYTE_LENGTH : EIGHT_BYTE_LENGTH;
  }
}
