package dev.chatflow.client.report;

import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.result.Intervals;
import dev.chatflow.client.result.Matrix;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.result.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Draws latencies. Stateless. */
final class LatencyCharts {
  private static final double[] SPECTRUM = {0, 50, 90, 99, 99.9, 99.99, 99.999};
  private static final double SPECTRUM_STEP = 0.05;
  private static final int MAX_COLUMNS = 150;
  private static final int ROWS_PER_DECADE = 6;

  private LatencyCharts() {}

  /** Draws latency by percentile, with an axis stretched towards 100 % and one line per clock. */
  static Chart spectrum(RunResult result) {
    LineChart chart = LineChart.of("spectrum", "Delivery latency by percentile", "ms");
    for (Clock clock : result.hasTwoClocks() ? Clock.values() : new Clock[] {Clock.SERVICE}) {
      spectrum(
          chart, clock.name().toLowerCase(Locale.ROOT), histogram(result, Series.DELIVERY, clock));
    }
    Histogram delivery = histogram(result, Series.DELIVERY, Clock.SERVICE);
    spectrumTicks(chart, (double) delivery.getTotalCount());
    return chart.draw();
  }

  /** Adds a line of medians over the repeats of a run. */
  static void spectrum(LineChart chart, String name, List<RunResult> repeats) {
    spectrum(
        chart,
        name,
        repeats.stream()
            .map(result -> histogram(result, Series.DELIVERY, result.mainClock()))
            .toArray(Histogram[]::new));
  }

  private static void spectrum(LineChart chart, String name, Histogram... repeats) {
    long count = Arrays.stream(repeats).mapToLong(Histogram::getTotalCount).max().orElse(0);
    double last = Math.log10(Math.max(10.0, (double) count));
    double[] at = new double[(int) (last / SPECTRUM_STEP) + 1];
    double[] millis = new double[at.length];
    for (int i = 0; i < at.length; i++) {
      at[i] = i * SPECTRUM_STEP;
      double percentile = 100 * (1 - Math.pow(10, -at[i]));
      List<Double> values =
          Arrays.stream(repeats)
              .map(own -> own.getValueAtPercentile(percentile) / 1e3)
              .sorted()
              .toList();
      millis[i] = Matrix.median(values);
    }
    chart.line(name, at, millis);
  }

  static void spectrumTicks(LineChart chart, double count) {
    for (double percentile : SPECTRUM) {
      double at = -Math.log10(1 - percentile / 100);
      if (at <= Math.log10(Math.max(10, count))) {
        chart.tick(at, Numbers.plain(percentile) + " %");
      }
    }
  }

  static Chart heatMap(Intervals intervals, Clock clock, double totalSeconds) {
    List<Histogram> columns = intervals.histograms(Series.DELIVERY, clock);
    double last = columns.stream().mapToDouble(intervals::endOf).max().orElse(1);
    double seconds = Math.max(totalSeconds, last); // as long as the other charts of the run
    int count = Math.clamp(columns.size(), 1, MAX_COLUMNS);
    long max = columns.stream().mapToLong(Histogram::getMaxValue).max().orElse(1);
    long min = columns.stream().mapToLong(Histogram::getMinValue).min().orElse(1);
    int lowest = (int) Math.floor(Math.log10(Math.max(1.0, (double) min)));
    int rows = Math.max(1, (int) Math.ceil(Math.log10(Math.max(10.0, (double) max)))) - lowest;
    long[][] counts = new long[count][rows * ROWS_PER_DECADE];
    for (Histogram histogram : columns) {
      int column = (int) Math.min(count - 1, intervals.endOf(histogram) / seconds * count - 0.01);
      for (var value : histogram.recordedValues()) {
        double at = Math.log10(Math.max(1.0, (double) value.getValueIteratedTo())) - lowest;
        int row = Math.clamp((long) (at * ROWS_PER_DECADE), 0, rows * ROWS_PER_DECADE - 1);
        counts[Math.max(0, column)][row] += value.getCountAtValueIteratedTo();
      }
    }
    String[] labels = new String[rows * ROWS_PER_DECADE];
    for (int i = 0; i < labels.length; i++) {
      double millis = Math.pow(10, lowest + (double) i / ROWS_PER_DECADE - 3);
      labels[i] = i % ROWS_PER_DECADE == 0 ? Numbers.plain(millis) : "";
    }
    return HeatMap.draw("heat-map", "Delivery latency, heat map", "ms", counts, seconds, labels);
  }

  private static Histogram histogram(RunResult result, Series series, Clock clock) {
    return result.record().series().of(series, clock);
  }
}
