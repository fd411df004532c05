package dev.chatflow.client.verify;

import java.util.Arrays;

/** Reads and writes fixed-width unsigned numbers in base 36, digits {@code 0-9a-z}. Pure. */
final class Base36 {
  private static final byte[] DIGITS =
      "0123456789abcdefghijklmnopqrstuvwxyz".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final byte[] VALUES = values();

  private Base36() {}

  static void write(byte[] out, int at, int width, long value) {
    long rest = value;
    for (int i = at + width - 1; i >= at; i--) {
      out[i] = DIGITS[(int) (rest % 36)];
      rest /= 36;
    }
  }

  /** Returns the number at {@code at}; negative if a character is no digit. */
  static long read(byte[] in, int at, int width) {
    long value = 0;
    int bad = 0;
    for (int i = at; i < at + width; i++) {
      int digit = VALUES[in[i] & 0xff];
      bad |= digit;
      value = value * 36 + digit;
    }
    return bad < 0 ? -1 : value;
  }

  private static byte[] values() {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) -1);
    for (int i = 0; i < DIGITS.length; i++) {
      values[DIGITS[i]] = (byte) i;
    }
    return values;
  }
}
