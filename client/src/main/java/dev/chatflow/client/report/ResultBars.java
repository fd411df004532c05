package dev.chatflow.client.report;

import dev.chatflow.client.compat.ChatFlowGoReport;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.result.RunResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Draws bars of a run's latencies and copies. The plotter of scale-chat draws the same, and
 * ChatFlow_CS6650's client the histogram; docs/lab/compat.md describes both. Stateless.
 */
final class ResultBars {
  private static final double[] PERCENTILES = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99};
  private static final double CLIP_MILLIS = 2_000;
  private static final int BINS = 50;
  private static final Set<Series> OF_MESSAGES =
      EnumSet.complementOf(
          EnumSet.of(Series.CONNECT, Series.JOIN, Series.RECOVERY, Series.CATCH_UP));

  private ResultBars() {}

  static List<Chart> all(RunResult result) {
    return List.of(
        percentiles(result).draw(),
        clippedPercentiles(result).draw(),
        means(result),
        percentilesOfMeans(result),
        expectedAndReceived(result).draw(),
        histogram(result));
  }

  static BarChart percentiles(RunResult result) {
    return percentiles(result, "percentiles", "Delivery latency at percentiles");
  }

  /** Draws percentiles with an axis up to two seconds. */
  static BarChart clippedPercentiles(RunResult result) {
    return percentiles(result, "percentiles-2s", "Delivery latency at percentiles, clipped at 2 s")
        .clippedAt(CLIP_MILLIS);
  }

  private static BarChart percentiles(RunResult result, String name, String title) {
    Histogram delivery = result.record().series().of(Series.DELIVERY, result.mainClock());
    BarChart chart = BarChart.of(name, title, "ms");
    for (double percentile : PERCENTILES) {
      chart.bars("p" + Numbers.plain(percentile), delivery.getValueAtPercentile(percentile) / 1e3);
    }
    return chart;
  }

  /** Draws means with a whisker of one standard deviation. */
  private static Chart means(RunResult result) {
    BarChart chart = BarChart.of("mean-stddev", "Mean latency with standard deviation", "ms");
    for (Series series : OF_MESSAGES) {
      Histogram histogram = result.record().series().of(series, result.mainClock());
      if (histogram.getTotalCount() > 0) {
        chart.whiskered(
            series.label(), histogram.getMean() / 1e3, histogram.getStdDeviation() / 1e3);
      }
    }
    return chart.draw();
  }

  /**
   * Draws percentiles of all deliveries next to those of the means per connection: averages hide
   * the waits of single messages.
   */
  private static Chart percentilesOfMeans(RunResult result) {
    Histogram delivery = result.record().series().of(Series.DELIVERY, Clock.SERVICE);
    double[] means = ChatFlowGoReport.means(result.record().connections().stream());
    BarChart chart =
        BarChart.of("percentiles-of-means", "All deliveries, and means per connection", "ms")
            .series("all deliveries", "per-connection means");
    for (double percentile : new double[] {0, 50, 95, 99, 100}) {
      String label = percentile == 0 ? "min" : percentile == 100 ? "max" : "p" + (int) percentile;
      double ofMeans = ChatFlowGoReport.at(means, percentile);
      chart.bars(label, delivery.getValueAtPercentile(percentile) / 1e3, ofMeans);
    }
    return chart.draw();
  }

  static BarChart expectedAndReceived(RunResult result) {
    return BarChart.of("sent-received", "Copies expected and received", "")
        .bars("expected", result.copiesExpected())
        .bars("received", (double) result.record().tally().deliveries());
  }

  /**
   * Draws echo latencies in 50 bins up to the 99.9th percentile; the last one contains the rest.
   */
  private static Chart histogram(RunResult result) {
    Histogram echo = result.record().series().of(Series.ECHO, result.mainClock());
    double width = Math.max(1, echo.getValueAtPercentile(99.9)) / (double) BINS;
    BarChart chart = BarChart.of("histogram", "Echo latency, messages per bin of 50", "");
    for (int bin = 0; bin < BINS; bin++) {
      long from = (long) Math.ceil(bin * width);
      long to = bin == BINS - 1 ? echo.getHighestTrackableValue() : (long) ((bin + 1) * width);
      long count = to < from ? 0 : echo.getCountBetweenValues(from, to);
      chart.bars(String.format(Locale.ROOT, "%.1f ms", bin * width / 1e3), (double) count);
    }
    return chart.draw();
  }
}
