package dev.chatflow.client.compat;

import dev.chatflow.client.chart.BarChart;
import dev.chatflow.client.chart.Chart;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.series.Series;
import java.util.EnumSet;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** The pictures that the plotter of scale-chat draws, of a run of this client. Stateless. */
public final class ScaleChatCharts {
  private static final double[] PERCENTILES = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99};

  /** Beyond it, scale-chat says, nobody chats. */
  private static final double CLIP_MILLIS = 2_000;

  private static final Set<Series> NOT_OF_MESSAGES =
      EnumSet.of(Series.CONNECT, Series.JOIN, Series.RECOVERY, Series.CATCH_UP);

  private ScaleChatCharts() {}

  /** A bar for each of its percentiles. */
  public static BarChart percentiles(RunResult result) {
    return percentiles(result, "percentiles", "Delivery latency at percentiles");
  }

  /** The same with the axis ended at two seconds. */
  public static BarChart clippedPercentiles(RunResult result) {
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

  /** Means with a whisker of one standard deviation. */
  public static Chart means(RunResult result) {
    BarChart chart = BarChart.of("mean-stddev", "Mean latency with standard deviation", "ms");
    for (Series series : EnumSet.complementOf(EnumSet.copyOf(NOT_OF_MESSAGES))) {
      Histogram histogram = result.record().series().of(series, result.mainClock());
      if (histogram.getTotalCount() > 0) {
        chart.whiskered(
            series.label(), histogram.getMean() / 1e3, histogram.getStdDeviation() / 1e3);
      }
    }
    return chart.draw();
  }

  /** Copies that had to come, and copies that came. */
  public static BarChart sentAndReceived(RunResult result) {
    return BarChart.of("sent-received", "Copies expected and received", "")
        .bars("expected", result.copiesExpected())
        .bars("received", (double) result.record().tally().deliveries());
  }
}
