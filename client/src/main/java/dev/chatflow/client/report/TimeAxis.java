package dev.chatflow.client.report;

import java.util.Locale;

/**
 * The time axis: at most ten round steps of seconds, minutes or hours. Immutable.
 *
 * @param seconds end of the axis, not rounded, so that a chart ends with its run
 */
record TimeAxis(double seconds, double step) {
  private static final int MINUTE = 60;
  private static final int HOUR = 3_600;
  private static final double MOST_STEPS = 10;
  private static final double[] STEPS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600,
    900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400
  };

  static TimeAxis to(double seconds) {
    for (double step : STEPS) {
      if (seconds <= step * MOST_STEPS) {
        return new TimeAxis(seconds, step);
      }
    }
    return new TimeAxis(seconds, Axis.to(seconds / 86_400).step() * 86_400);
  }

  int ticks() {
    return (int) Math.floor(seconds / step * 1.0001);
  }

  /** Returns the label of a tick: seconds up to two minutes, then {@code m:ss} or {@code h:mm}. */
  String tick(int index) {
    double at = index * step;
    if (at == 0) {
      return "0";
    }
    if (seconds <= 2 * MINUTE) {
      return Axis.label(at) + " s";
    }
    long whole = Math.round(at);
    if (seconds <= 2 * HOUR) {
      return step % MINUTE == 0
          ? whole / MINUTE + " min"
          : String.format(Locale.ROOT, "%d:%02d", whole / MINUTE, whole % MINUTE);
    }
    return step % HOUR == 0
        ? whole / HOUR + " h"
        : String.format(Locale.ROOT, "%d:%02d h", whole / HOUR, whole % HOUR / MINUTE);
  }
}
