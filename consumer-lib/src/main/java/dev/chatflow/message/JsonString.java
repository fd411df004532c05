package dev.chatflow.message;

import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;

/**
 * Scans a JSON string in UTF-8 without decoding it.
 *
 * <p>One thread, used once. Accepts what RFC 8259 and RFC 3629 allow, except lone surrogate
 * escapes.
 */
public final class JsonString {

  /** Returned by {@link #end} for a string that is invalid or not closed. */
  public static final int BROKEN = -1;

  private static final int ESCAPE = 6; // as in \u0000

  private final byte[] bytes;
  private final int to;
  private int points;

  public JsonString(byte[] bytes, int to) {
    this.bytes = bytes;
    this.to = to;
  }

  /** Decodes the content of a scanned string, from {@code from} to before {@code to}. */
  public static String decoded(byte[] bytes, int from, int to) {
    String content = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return content.indexOf('\\') < 0 ? content : unescaped(content);
  }

  private static String unescaped(String content) {
    return JsonParser.parseString('"' + content + '"').getAsString();
  }

  /** Returns the index of the quote that closes the string whose content begins at {@code from}. */
  public int end(int from) {
    int at = from;
    while (at >= 0 && at < to && bytes[at] != '"') {
      at = next(at, bytes[at]);
      points++;
    }
    return at < to ? at : BROKEN;
  }

  /** Returns the number of code points scanned. */
  public int points() {
    return points;
  }

  /** Returns the index after the code point at {@code at}, or {@link #BROKEN}. */
  private int next(int at, byte b) {
    if (b == '\\') {
      return afterEscape(at);
    }
    if (b < 0) {
      return afterMultiByte(at, b & 0xFF);
    }
    return b >= 0x20 ? at + 1 : BROKEN;
  }

  private int afterEscape(int at) {
    if (at + 1 >= to) {
      return BROKEN;
    }
    return switch (bytes[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
      case 'u' -> afterUnicode(at);
      default -> BROKEN;
    };
  }

  private int afterUnicode(int at) {
    int unit = unit(at);
    if (unit < 0 || Character.isLowSurrogate((char) unit)) {
      return BROKEN;
    }
    int end = at + ESCAPE;
    if (!Character.isHighSurrogate((char) unit)) {
      return end;
    }
    int low = unit(end);
    return low >= 0 && Character.isLowSurrogate((char) low) ? end + ESCAPE : BROKEN;
  }

  /** Returns the UTF-16 unit of the escape at {@code at}, or a negative number. */
  private int unit(int at) {
    if (at + ESCAPE > to || bytes[at] != '\\' || bytes[at + 1] != 'u') {
      return BROKEN;
    }
    int unit = 0;
    for (int i = at + 2; i < at + ESCAPE; i++) {
      int digit = Character.digit(bytes[i], 16); // -1 for a negative byte
      if (digit < 0) {
        return BROKEN;
      }
      unit = (unit << 4) | digit;
    }
    return unit;
  }

  /** Applies RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF. */
  private int afterMultiByte(int at, int lead) {
    if (lead >= 0xC2 && lead <= 0xDF) {
      return isTail(at + 1, 0x80, 0xBF) ? at + 2 : BROKEN;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
      boolean whole =
          isTail(at + 1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF)
              && isTail(at + 2, 0x80, 0xBF);
      return whole ? at + 3 : BROKEN;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
      boolean whole =
          isTail(at + 1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF)
              && isTail(at + 2, 0x80, 0xBF)
              && isTail(at + 3, 0x80, 0xBF);
      return whole ? at + 4 : BROKEN;
    }
    return BROKEN;
  }

  private boolean isTail(int at, int min, int max) {
    return at < to && (bytes[at] & 0xFF) >= min && (bytes[at] & 0xFF) <= max;
  }
}
