package dev.chatflow.client.report;

import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.HalfSeconds;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.result.Figure;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.Matrix;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.result.SweepTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Draws several runs side by side. With repeats, a bar and each point of a spectrum is their
 * median; a course shows the middle repeat. Immutable.
 */
final class SeveralRuns {
  /** The note on repeats next to the charts. */
  static final String REPEATS =
      "Bars, tables and spectra are medians of the repeats of a row. Charts of a single run,"
          + " such as a course over time, show the repeat with the median deliveries per second.";

  private static final int BUCKETS_PER_SECOND = 2;

  private final Map<String, List<StoredRun>> runs;
  private final Map<String, StoredRun> middle = new LinkedHashMap<>();

  SeveralRuns(Map<String, List<StoredRun>> runs) {
    this.runs = runs;
    runs.forEach((name, own) -> middle.put(name, middle(own)));
  }

  private static StoredRun middle(List<StoredRun> repeats) {
    List<StoredRun> sorted =
        repeats.stream()
            .sorted(Comparator.comparingDouble(run -> run.result().deliveriesPerSecond()))
            .toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  List<Chart> all() {
    List<Chart> charts = new ArrayList<>(first());
    charts.addAll(rest());
    return charts;
  }

  /** Returns the charts of rates and latencies. */
  List<Chart> first() {
    List<Chart> charts = new ArrayList<>();
    Figures.in(Figure.Display.SWEEP).stream()
        .filter(SweepTable::hasFactor)
        .forEach(figure -> charts.add(compared(figure)));
    charts.add(latency());
    charts.add(spectra());
    return charts;
  }

  /** Returns the other charts. */
  List<Chart> rest() {
    List<Chart> charts = new ArrayList<>();
    charts.add(overlay());
    Figures.in(Figure.Display.SWEEP).stream()
        .filter(figure -> !SweepTable.hasFactor(figure))
        .forEach(figure -> charts.add(compared(figure)));
    charts.add(
        multiples(
            "compare-percentiles",
            "Delivery latency at percentiles, ms",
            run -> ResultBars.percentiles(run.result())));
    charts.add(
        multiples(
            "compare-percentiles-2s",
            "Delivery latency at percentiles, ms, clipped at 2 s",
            run -> ResultBars.clippedPercentiles(run.result())));
    charts.add(means());
    charts.add(
        multiples(
            "compare-sent-received",
            "Copies expected and received",
            run -> ResultBars.expectedAndReceived(run.result())));
    return charts;
  }

  /** Draws one bar per configuration, labelled with the factor of a rate relative to the first. */
  private Chart compared(Figure figure) {
    boolean isRate = SweepTable.hasFactor(figure);
    String title = figure.label() + ", median" + (isRate ? " and factor" : "");
    BarChart chart = BarChart.of("compare-" + figure.field(), title, figure.unit().sign());
    double first = SweepTable.median(runs.values().iterator().next(), figure);
    for (Map.Entry<String, List<StoredRun>> cell : runs.entrySet()) {
      double value = SweepTable.median(cell.getValue(), figure);
      double factor = isRate ? SweepTable.factor(first, value) : Double.NaN;
      String times = Double.isNaN(factor) ? "" : " (x" + SweepTable.times(factor) + ")";
      chart.bars(cell.getKey() + times, figure.unit().scaled(value));
    }
    return chart.draw();
  }

  private Chart latency() {
    BarChart chart =
        BarChart.of("compare-latency", "Echo latency: mean, p95, p99", "ms")
            .series("mean", "p95", "p99");
    runs.forEach((name, own) ->
        chart.bars(
            name,
            median(own, run -> echo(run).getMean()),
            median(own, run -> echo(run).getValueAtPercentile(95)),
            median(own, run -> echo(run).getValueAtPercentile(99))));
    return chart.draw();
  }

  private Chart means() {
    BarChart chart = BarChart.of("compare-mean", "Mean echo latency with standard deviation", "ms");
    runs.forEach((name, own) ->
        chart.whiskered(
            name,
            median(own, run -> echo(run).getMean()),
            median(own, run -> echo(run).getStdDeviation())));
    return chart.draw();
  }

  /** Returns the median in milliseconds, from microseconds. */
  private static double median(List<StoredRun> repeats, ToDoubleFunction<StoredRun> micros) {
    return Matrix.median(repeats.stream().map(micros::applyAsDouble).sorted().toList()) / 1e3;
  }

  private static Histogram echo(StoredRun run) {
    return run.result().record().series().of(Series.ECHO, Clock.SERVICE);
  }

  private Chart overlay() {
    LineChart chart =
        LineChart.of("compare-over-time", "Deliveries per second, in half seconds", "1/s");
    middle.forEach((name, run) -> {
      HalfSeconds halves = run.result().record().halves();
      double[] at = new double[halves.size()];
      double[] rate = new double[halves.size()];
      long[] delivered = halves.delivered();
      for (int i = 0; i < at.length; i++) {
        at[i] = (i + 1.0) / BUCKETS_PER_SECOND;
        rate[i] = (double) delivered[i] * BUCKETS_PER_SECOND;
      }
      chart.line(name, at, rate);
    });
    return chart.draw();
  }

  private Chart spectra() {
    LineChart chart = LineChart.of("compare-spectrum", "Delivery latency by percentile", "ms");
    runs.forEach((name, own) ->
        LatencyCharts.spectrum(chart, name, own.stream().map(StoredRun::result).toList()));
    LatencyCharts.spectrumTicks(chart, 1e5);
    return chart.draw();
  }

  /** Draws one small chart per configuration, with a common axis. */
  private Chart multiples(String name, String title, Function<StoredRun, BarChart> picture) {
    List<BarChart> bars = middle.values().stream().map(picture).toList();
    double highest = bars.stream().mapToDouble(BarChart::highest).max().orElse(1);
    List<String> names = List.copyOf(runs.keySet());
    List<Chart> charts = new ArrayList<>();
    for (int i = 0; i < bars.size(); i++) {
      charts.add(bars.get(i).oneOfSeveral(names.get(i), highest).draw());
    }
    return SmallMultiples.of(name, title, charts);
  }
}
