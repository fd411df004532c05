package dev.chatflow.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.Year;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * Parses RFC 3339 times: upper case, a real date, seconds 00 to 59, a fraction of 1 to 9 digits,
 * {@code Z} or an offset up to 23:59.
 *
 * <p>One thread, used once. Works on bytes, because broker lines are never decoded.
 */
public final class Rfc3339 {

  /**
   * Returned by {@link #millis} for an invalid time; no time of the years 0 to 9999 has this value.
   */
  public static final long NONE = Long.MIN_VALUE;

  /** Length of the form that servers write, {@code 2026-11-20T18:46:00.125Z}. */
  public static final int SERVER_LENGTH = 24;

  /** The last ms of the year 9999: times from 1970 up to it have that length. */
  public static final long MAX_MILLIS = 253_402_300_799_999L;

  private static final DateTimeFormatter SERVER_FORM =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final int SHORTEST = 20; // 2026-11-20T18:46:00Z
  private static final int MAX_FRACTION_DIGITS = 9;
  private static final int OFFSET_LENGTH = 6;
  private static final long MILLIS_PER_MINUTE = 60_000;

  private final byte[] bytes;
  private final int to;

  private Rfc3339(byte[] bytes, int to) {
    this.bytes = bytes;
    this.to = to;
  }

  /**
   * Returns a time in ms since the epoch in the form that servers write, always with milliseconds.
   */
  public static String text(long millis) {
    return SERVER_FORM.format(Instant.ofEpochMilli(millis));
  }

  /**
   * Returns whether a time in ms since the epoch is in the years 1970 to 9999, as a server's must
   * be.
   */
  public static boolean isServerTime(long millis) {
    return millis >= 0 && millis <= MAX_MILLIS;
  }

  public static boolean isValid(String text) {
    return millis(text) != NONE;
  }

  /** Returns the ms since the epoch, rounded down, or {@link #NONE}. */
  public static long millis(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1); // other characters become '?'
    return millis(bytes, 0, bytes.length);
  }

  /** Parses the bytes {@code from} to before {@code to}. */
  public static long millis(byte[] bytes, int from, int to) {
    return to - from < SHORTEST ? NONE : new Rfc3339(bytes, to).read(from);
  }

  private long read(int from) {
    long date = date(from);
    long time = time(from + 10);
    int zone = from + 19;
    if (date == NONE || time == NONE) {
      return NONE;
    }
    if (bytes[zone] == '.') {
      int digits = digitsAt(zone + 1);
      if (digits == 0 || digits > MAX_FRACTION_DIGITS) {
        return NONE;
      }
      time += fraction(zone + 1, digits);
      zone += 1 + digits;
    }
    long offset = offset(zone);
    return offset == NONE ? NONE : date + time - offset;
  }

  private long date(int at) {
    int year = number(at, 4);
    int month = number(at + 5, 2);
    int day = number(at + 8, 2);
    boolean exists =
        year >= 0
            && bytes[at + 4] == '-'
            && month >= 1
            && month <= 12
            && bytes[at + 7] == '-'
            && day >= 1
            && day <= Month.of(month).length(Year.isLeap(year));
    return exists
        ? LocalDate.of(year, month, day).toEpochDay() * 24 * 60 * MILLIS_PER_MINUTE
        : NONE;
  }

  private long time(int at) {
    int second = number(at + 7, 2);
    int minutes = minutes(at + 1);
    boolean exists =
        bytes[at] == 'T' && minutes >= 0 && bytes[at + 6] == ':' && second >= 0 && second <= 59;
    return exists ? minutes * MILLIS_PER_MINUTE + second * 1000L : NONE;
  }

  private long offset(int at) {
    if (at == to - 1 && bytes[at] == 'Z') {
      return 0;
    }
    if (at != to - OFFSET_LENGTH || (bytes[at] != '+' && bytes[at] != '-')) {
      return NONE;
    }
    int minutes = minutes(at + 1);
    if (minutes < 0) {
      return NONE;
    }
    return (bytes[at] == '+' ? minutes : -minutes) * MILLIS_PER_MINUTE;
  }

  /** Returns {@code hh:mm} in minutes, or a negative number. */
  private int minutes(int at) {
    int hour = number(at, 2);
    int minute = number(at + 3, 2);
    boolean exists = hour >= 0 && hour <= 23 && bytes[at + 2] == ':' && minute >= 0 && minute <= 59;
    return exists ? hour * 60 + minute : -1;
  }

  private int fraction(int at, int digits) {
    int millis = 0;
    for (int i = 0; i < 3; i++) {
      millis = millis * 10 + (i < digits ? bytes[at + i] - '0' : 0);
    }
    return millis;
  }

  private int digitsAt(int at) {
    int end = at;
    while (end < to && bytes[end] >= '0' && bytes[end] <= '9') {
      end++;
    }
    return end - at;
  }

  private int number(int at, int digits) {
    int value = 0;
    for (int i = at; i < at + digits; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return -1;
      }
      value = value * 10 + bytes[i] - '0';
    }
    return value;
  }
}
