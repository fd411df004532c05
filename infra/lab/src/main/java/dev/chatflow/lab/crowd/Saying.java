package dev.chatflow.lab.crowd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The ASCII text of a message: a unique mark, then in hex its sender (4 digits), number (8) and due
 * time (16, {@link System#nanoTime}), then filling.
 */
final class Saying {
  static final int SHORTEST = 29;

  /** The number of a greeting, which shows a member that it is in the room. */
  static final int HELLO = -1;

  private static final byte MARK = '~';
  private static final int SENDER_AT = 1;
  private static final int NUMBER_AT = 5;
  private static final int DUE_AT = 13;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VALUES = values();

  private Saying() {}

  private static byte[] values() {
    byte[] values = new byte[256];
    for (int i = 0; i < HEX.length; i++) {
      values[HEX[i]] = (byte) i;
    }
    return values;
  }

  static byte[] of(int sender, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'x');
    bytes[0] = MARK;
    put(bytes, SENDER_AT, 4, sender);
    return bytes;
  }

  /** Writes number and time into the text at this offset. */
  static void stamp(byte[] bytes, int at, int number, long dueNanos) {
    put(bytes, at + NUMBER_AT, 8, number);
    put(bytes, at + DUE_AT, 16, dueNanos);
  }

  /** Returns the offset of the first text, or -1; tries {@code guess} first. */
  static int find(byte[] bytes, int from, int to, int guess) {
    int likely = from + guess;
    if (likely < to && bytes[likely] == MARK) {
      return likely;
    }
    for (int at = from; at < to; at++) {
      if (bytes[at] == MARK) {
        return at;
      }
    }
    return -1;
  }

  static int sender(byte[] bytes, int at) {
    return (int) read(bytes, at + SENDER_AT, 4);
  }

  static int number(byte[] bytes, int at) {
    return (int) read(bytes, at + NUMBER_AT, 8);
  }

  static long due(byte[] bytes, int at) {
    return read(bytes, at + DUE_AT, 16);
  }

  private static void put(byte[] bytes, int at, int digits, long value) {
    for (int i = 0; i < digits; i++) {
      bytes[at + i] = HEX[(int) (value >>> (4 * (digits - 1 - i))) & 0xf];
    }
  }

  private static long read(byte[] bytes, int at, int digits) {
    long value = 0;
    for (int i = at; i < at + digits; i++) {
      value = value << 4 | VALUES[bytes[i] & 0xff];
    }
    return value;
  }
}
