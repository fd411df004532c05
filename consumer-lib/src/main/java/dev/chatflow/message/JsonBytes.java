package dev.chatflow.message;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;

/**
 * Writes JSON as UTF-8 bytes, without whitespace.
 *
 * <p>One thread, used once. Escapes only the characters that JSON requires: quote, backslash, and
 * those below U+0020.
 */
public final class JsonBytes {

  private static final int LONGEST_ESCAPE = 6;
  private static final int MAX_BYTES_PER_CHAR = 3; // a surrogate pair is two chars and four bytes
  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** The second character of the escapes of U+0000 to U+001F; 'u' if there is no short one. */
  private static final byte[] SHORT_ESCAPES =
      "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes;
  private int size;

  /**
   * Creates a writer that grows on demand.
   *
   * @param capacity initial size; if it is exact, {@link #toBytes} does not copy
   */
  public JsonBytes(int capacity) {
    bytes = new byte[capacity];
  }

  /** Returns the bytes of an ASCII constant, for {@link #raw(byte[])}. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the number of bytes written. */
  int size() {
    return size;
  }

  public JsonBytes raw(byte[] constant) {
    reserve(constant.length);
    System.arraycopy(constant, 0, bytes, size, constant.length);
    size += constant.length;
    return this;
  }

  /** Writes ASCII text that needs no escaping. */
  public JsonBytes plain(String text) {
    int length = text.length();
    reserve(length);
    for (int i = 0; i < length; i++) {
      bytes[size + i] = (byte) text.charAt(i);
    }
    size += length;
    return this;
  }

  public JsonBytes number(long value) {
    return plain(Long.toString(value));
  }

  /** Writes any text as the content of a JSON string, without the quotes. */
  public JsonBytes escaped(String text) {
    int length = text.length();
    int from = plainStart(text);
    reserve((length - from) * MAX_BYTES_PER_CHAR);
    for (int i = from; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        i += multiByte(text, i) - 1;
      } else if (isPlain(c)) {
        put(c);
      } else {
        reserve(LONGEST_ESCAPE + (length - i) * MAX_BYTES_PER_CHAR);
        escape(c);
      }
    }
    return this;
  }

  /** Writes the plain start of a text, which is usually all of it. */
  private int plainStart(String text) {
    int end = 0;
    while (end < text.length() && isPlain(text.charAt(end))) {
      end++;
    }
    reserve(end);
    for (int i = 0; i < end; i++) {
      put(text.charAt(i));
    }
    return end;
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
  }

  /** Writes a UTC time with three digits of milliseconds and {@code Z}. */
  public JsonBytes time(long millis) {
    if (!Rfc3339.isServerTime(millis)) {
      throw new IllegalArgumentException("time must be in the years 1970 to 9999, not " + millis);
    }
    reserve(Rfc3339.SERVER_LENGTH);
    LocalDate date = LocalDate.ofEpochDay(millis / MILLIS_PER_DAY);
    int ofDay = (int) (millis % MILLIS_PER_DAY);
    twoDigits(date.getYear() / 100);
    twoDigits(date.getYear() % 100);
    put('-');
    twoDigits(date.getMonthValue());
    put('-');
    twoDigits(date.getDayOfMonth());
    put('T');
    timeOfDay(ofDay);
    put('Z');
    return this;
  }

  /** Returns the written bytes; nothing may be written afterwards. */
  public byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void timeOfDay(int millis) {
    twoDigits(millis / 3_600_000);
    put(':');
    twoDigits(millis / 60_000 % 60);
    put(':');
    twoDigits(millis / 1000 % 60);
    put('.');
    put('0' + millis / 100 % 10);
    twoDigits(millis % 100);
  }

  private void twoDigits(int value) {
    put('0' + value / 10);
    put('0' + value % 10);
  }

  /** Encodes the non-ASCII code point at {@code i}; returns its number of chars. */
  private int multiByte(String text, int i) {
    int point = text.codePointAt(i);
    if (point < 0x800) {
      put(0xC0 | (point >> 6));
    } else if (point < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
      if (Character.isSurrogate((char) point)) {
        throw new IllegalArgumentException("lone surrogate at index " + i);
      }
      put(0xE0 | (point >> 12));
      put(0x80 | ((point >> 6) & 0x3F));
    } else {
      put(0xF0 | (point >> 18));
      put(0x80 | ((point >> 12) & 0x3F));
      put(0x80 | ((point >> 6) & 0x3F));
    }
    put(0x80 | (point & 0x3F));
    return Character.charCount(point);
  }

  private void escape(char c) {
    put('\\');
    if (c >= 0x20) {
      put(c);
      return;
    }
    put(SHORT_ESCAPES[c]);
    if (SHORT_ESCAPES[c] == 'u') {
      put('0');
      put('0');
      put(HEX[c >> 4]);
      put(HEX[c & 0xF]);
    }
  }

  private void put(int b) {
    bytes[size++] = (byte) b;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
