package dev.chatflow.room;

/**
 * The head of a server's text frame (RFC 6455 section 5.2): final, unmasked, of any length.
 *
 * <p>Stateless.
 */
final class Frame {

  /** The length code that says: two bytes of length follow. */
  static final int TWO_BYTE_LENGTH = 126;

  /** The length code that says: eight bytes of length follow. */
  static final int EIGHT_BYTE_LENGTH = 127;

  static final int MAX_HEADER_BYTES = 10;

  private static final byte FINAL_TEXT = (byte) 0x81;

  private Frame() {}

  /** Writes the header of a payload of {@code length} bytes; returns its own length. */
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

  /** The length of a header whose second byte is {@code code}. */
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
