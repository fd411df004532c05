package dev.chatflow.client.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Formats numbers in reports. Pure. */
public final class Numbers {
  private Numbers() {}

  public static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Formats milliseconds with one decimal and grouped thousands. */
  public static String millis(double micros) {
    return String.format(Locale.ROOT, "%,.1f", micros / 1000);
  }

  /** Returns a percentile of microseconds in milliseconds; {@code NaN} without values. */
  public static double percentileMillis(Histogram histogram, double percentile) {
    return histogram.getTotalCount() == 0
        ? Double.NaN
        : histogram.getValueAtPercentile(percentile) / 1e3;
  }

  /** Returns minimum, mean, standard deviation and percentiles of microseconds, in milliseconds. */
  public static List<String> millis(Histogram histogram, double... percentiles) {
    List<String> cells = new ArrayList<>();
    cells.add(millis((double) histogram.getMinValue()));
    cells.add(millis(histogram.getMean()));
    cells.add(millis(histogram.getStdDeviation()));
    for (double percentile : percentiles) {
      cells.add(millis((double) histogram.getValueAtPercentile(percentile)));
    }
    return cells;
  }

  /** Formats with as few digits as a reader needs. */
  public static String plain(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return whole((long) value);
    }
    String digits =
        String.format(
            Locale.ROOT,
            Math.abs(value) >= 100 ? "%,.1f" : Math.abs(value) >= 0.01 ? "%.3f" : "%.3g",
            value);
    return digits.contains("e") ? digits : digits.replaceFirst("0+$", "").replaceFirst("\\.$", "");
  }

  /** Formats with k or M. */
  public static String brief(double value) {
    if (value >= 1e6) {
      return String.format(Locale.ROOT, "%.2fM", value / 1e6);
    }
    if (value >= 10_000) {
      return String.format(Locale.ROOT, "%.1fk", value / 1e3);
    }
    return String.format(Locale.ROOT, "%.0f", value);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, share < 0.01 ? "%.4f%%" : "%.1f%%", share * 100);
  }
}
