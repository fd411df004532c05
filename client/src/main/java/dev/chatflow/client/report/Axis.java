package dev.chatflow.client.report;

import java.util.Locale;

/**
 * The value axis: from 0 to a round number, with ticks at 1, 2 or 5 times a power of ten.
 * Immutable.
 *
 * @param top the last tick
 */
record Axis(double top, double step) {

  static Axis to(double highest) {
    double max = Double.isFinite(highest) && highest > 0 ? highest : 1;
    double raw = max / 5;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double digit = raw / power;
    double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    return new Axis(Math.ceil(max / step - 1e-9) * step, step);
  }

  int ticks() {
    return (int) Math.round(top / step);
  }

  /** Returns the position of a value as a share of the axis; above 1 if it is clipped. */
  double share(double value) {
    return value / top;
  }

  /** Returns the label of a tick: all ticks of an axis use the same thousands or millions. */
  String tick(int index) {
    double value = index * step;
    return value == 0 ? "0" : label(value, top);
  }

  /** Formats a number briefly. */
  static String label(double value) {
    return label(value, Math.abs(value));
  }

  private static String label(double value, double size) {
    if (size >= 999_500) {
      return trim(value / 1e6) + "M";
    }
    return size >= 9_999.5 ? trim(value / 1e3) + "k" : trim(value);
  }

  private static String trim(double value) {
    String digits =
        Math.abs(value) >= 100
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, Math.abs(value) >= 1 ? "%.2f" : "%.4f", value);
    return digits.contains(".") ? digits.replaceFirst("0+$", "").replaceFirst("\\.$", "") : digits;
  }
}
