package dev.chatflow.client.result;

import java.util.Locale;

/** What a figure is measured in, and how it is written for people. */
public enum Unit {
  COUNT("", 1, 0),
  BYTES("MB", 1e-6, 1),
  PER_SECOND("/s", 1, 0),
  SECONDS("s", 1, 1),
  /** Microseconds, written as milliseconds. */
  LATENCY("ms", 1e-3, 1),
  /** Microseconds of CPU. */
  COST("µs", 1, 2),
  /** A part of one, written in percent. */
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

  /** What stands behind a number, or in the head of a column; may be empty. */
  public String sign() {
    return sign;
  }

  /** The value in the unit of {@link #sign}. */
  public double scaled(double value) {
    return value * factor;
  }

  /** The number alone; {@code -} for one that was not seen. */
  public String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return this == YES_NO
        ? (value == 0 ? "no" : "yes")
        : String.format(Locale.ROOT, "%,." + digits + "f", scaled(value));
  }

  /** Number and unit. */
  public String text(double value) {
    boolean bare = sign.isEmpty() || Double.isNaN(value);
    return number(value) + (bare ? "" : this == PER_SECOND ? sign : " " + sign);
  }

  boolean isTime() {
    return this == LATENCY || this == COST || this == SECONDS;
  }

  /** The value as an objective compares it: times in microseconds. */
  public double compared(double value) {
    return this == SECONDS ? value * 1e6 : value;
  }

  /** Whether there are no fractions of it. */
  public boolean isWhole() {
    return this == COUNT || this == BYTES;
  }
}
