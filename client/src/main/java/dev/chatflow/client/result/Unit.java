package dev.chatflow.client.result;

import java.util.Locale;

/** The unit of a figure, and its format for people. */
public enum Unit {
  COUNT("", 1, 0),
  BYTES("MB", 1e-6, 1),
  PER_SECOND("/s", 1, 0),
  SECONDS("s", 1, 1),
  /** Microseconds, written as milliseconds. */
  LATENCY("ms", 1e-3, 1),
  /** Microseconds of CPU. */
  COST("µs", 1, 2),
  /** A fraction, shown in percent. */
  SHARE("%", 100, 0),
  RATIO("", 1, 1),
  /** From 0 to 1. */
  SCORE("", 1, 3),
  /** 1 and 0. */
  YES_NO("", 1, 0);

  private final String sign;
  private final double factor;
  private final int digits;

  Unit(String sign, double factor, int digits) {
    this.sign = sign;
    this.factor = factor;
    this.digits = digits;
  }

  /** Returns the symbol after a number or in a column header; may be empty. */
  public String sign() {
    return sign;
  }

  /** Converts a value to the unit of {@link #sign}. */
  public double scaled(double value) {
    return value * factor;
  }

  /** Formats the number without its unit; {@code -} if unknown. */
  public String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return this == YES_NO
        ? (value == 0 ? "no" : "yes")
        : String.format(Locale.ROOT, "%,." + digits + "f", scaled(value));
  }

  /** Formats number and unit. */
  public String text(double value) {
    boolean bare = sign.isEmpty() || Double.isNaN(value);
    return number(value) + (bare ? "" : this == PER_SECOND ? sign : " " + sign);
  }

  boolean isTime() {
    return this == LATENCY || this == COST || this == SECONDS;
  }

  /** Converts a value for objectives, with times in microseconds. */
  public double compared(double value) {
    return this == SECONDS ? value * 1e6 : value;
  }

  /** Returns whether its values are integers. */
  public boolean isWhole() {
    return this == COUNT || this == BYTES;
  }
}
