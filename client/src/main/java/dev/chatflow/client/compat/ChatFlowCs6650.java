package dev.chatflow.client.compat;

import dev.chatflow.client.chart.BarChart;
import dev.chatflow.client.chart.Chart;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.series.Csv;
import dev.chatflow.client.series.Series;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Workload, throughput file and histogram of ChatFlow_CS6650's client. Stateless. */
public final class ChatFlowCs6650 {
  private static final int HALVES_PER_BUCKET = 20;
  private static final int BINS = 50;

  /** 32 users warm up; then 500,000 messages of all types, one in flight per user. */
  public static final Preset PRESET =
      new Preset(
          "warmup-a1",
          20,
          28,
          0,
          500_000,
          new Warmup(Duration.ZERO, 32, 1_000),
          new Mix(90, 5, 5),
          true,
          true);

  private ChatFlowCs6650() {}

  /** Accepted messages per ten seconds. */
  static String throughput(RunResult result) {
    Csv csv = new Csv(List.of("bucketStartMillis", "count", "throughputMsgPerSec"));
    long start = result.record().started().toEpochMilli();
    long[] halves = result.record().halves().accepted();
    for (int from = 0; from < halves.length; from += HALVES_PER_BUCKET) {
      int to = Math.min(from + HALVES_PER_BUCKET, halves.length);
      long count = Arrays.stream(halves, from, to).sum();
      csv.row(start + from * 500L, count, count / 10.0);
    }
    return csv.toString();
  }

  /** Echo latencies in 50 bins up to the 99.9th percentile; the last one holds the rest. */
  public static Chart histogram(RunResult result) {
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
