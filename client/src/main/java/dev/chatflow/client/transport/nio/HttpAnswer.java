package dev.chatflow.client.transport.nio;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The head of an HTTP response and the end of its body. Immutable.
 *
 * @param end offset of the response's end, or {@link #INCOMPLETE}
 */
record HttpAnswer(int status, long retryAfterMillis, boolean closes, int end) {
  static final int INCOMPLETE = -1;
  private static final HttpAnswer PART = new HttpAnswer(0, 0, false, INCOMPLETE);
  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

  /** Parses the response at the start of {@code bytes[0, to)}. */
  static HttpAnswer of(byte[] bytes, int to) {
    int body = Upgrade.endOfHeader(bytes, 0, to);
    if (body < 0) {
      return PART;
    }
    String[] lines = new String(bytes, 0, body, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    String[] first = lines[0].split(" ", 3);
    int status = first.length < 2 || !first[1].matches("[0-9]{3}") ? 0 : Integer.parseInt(first[1]);
    String length = header(lines, "content-length");
    boolean chunked = header(lines, "transfer-encoding").equalsIgnoreCase("chunked");
    int end =
        chunked
            ? endOfChunks(bytes, body, to)
            : body + (length.matches("[0-9]{1,8}") ? Integer.parseInt(length) : 0);
    String after = header(lines, "retry-after");
    return new HttpAnswer(
        status,
        after.matches("[0-9]{1,6}") ? Integer.parseInt(after) * 1_000L : 0,
        header(lines, "connection").equalsIgnoreCase("close"),
        end > to ? INCOMPLETE : end);
  }

  private static String header(String[] lines, String name) {
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
        return line.substring(colon + 1).strip();
      }
    }
    return "";
  }

  private static int endOfChunks(byte[] bytes, int from, int to) {
    for (int at = from; at + LAST_CHUNK.length <= to; at++) {
      boolean starts = at == from || bytes[at - 1] == '\n';
      if (starts && java.util.Arrays.equals(bytes, at, at + 5, LAST_CHUNK, 0, 5)) {
        return at + LAST_CHUNK.length;
      }
    }
    return INCOMPLETE;
  }
}
