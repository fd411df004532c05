package dev.chatflow.client.verify;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The current UTC time as 24 ASCII bytes, formatted at most once per millisecond.
 *
 * <p>One instance belongs to one thread.
 */
public final class Timestamp {
  static final int LENGTH = 24;

  private final byte[] text = new byte[LENGTH];
  private long second = Long.MIN_VALUE;
  private long milli = Long.MIN_VALUE;

  /** Returns the text of a time. */
  public static String text(long epochMillis) {
    return new String(new Timestamp().at(epochMillis), StandardCharsets.US_ASCII);
  }

  byte[] at(long epochMillis) {
    if (epochMillis != milli) {
      milli = epochMillis;
      format(epochMillis);
    }
    return text;
  }

  private void format(long epochMillis) {
    long whole = Math.floorDiv(epochMillis, 1000L);
    if (whole != second) {
      second = whole;
      String date = Instant.ofEpochSecond(whole).truncatedTo(ChronoUnit.SECONDS).toString();
      byte[] bytes = date.getBytes(StandardCharsets.US_ASCII); // 2026-11-20T18:46:00Z
      System.arraycopy(bytes, 0, text, 0, 19);
      text[19] = '.';
      text[23] = 'Z';
    }
    int millis = (int) Math.floorMod(epochMillis, 1000L);
    text[20] = (byte) ('0' + millis / 100);
    text[21] = (byte) ('0' + millis / 10 % 10);
    text[22] = (byte) ('0' + millis % 10);
  }
}
