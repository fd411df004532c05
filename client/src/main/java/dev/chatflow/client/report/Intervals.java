package dev.chatflow.client.report;

import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The course of a run, interval by interval: rows for charts and CSV, histograms for the interval
 * log.
 *
 * <p>Belongs to the observing thread. Bounded by the run: one row (100 bytes) and some compressed
 * histograms (1-10 KB) per interval.
 */
public final class Intervals {

  /**
   * One interval.
   *
   * @param seconds end of the interval, since the run's origin
   */
  public record Row(
      Phase phase,
      double seconds,
      double length,
      long sent,
      long delivered,
      double p50Millis,
      double p95Millis,
      double p99Millis,
      double maxMillis,
      long inFlight,
      double cpuPercent) {}

  private final List<Row> rows = new ArrayList<>();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream logStream = new PrintStream(log, false, StandardCharsets.UTF_8);
  private final HistogramLogWriter writer = new HistogramLogWriter(logStream);
  private final long startMillis;
  private Progress last = Progress.NONE;
  private long lastNanos;
  private long lastCpuNanos;

  public Intervals(long startMillis, long cpuNanos) {
    this.startMillis = startMillis;
    lastCpuNanos = cpuNanos;
    writer.setBaseTime(startMillis);
    writer.outputLogFormatVersion();
    writer.outputBaseTime(startMillis);
    writer.outputLegend();
  }

  /** Adds the interval that ends now. */
  public void add(Phase phase, long nanos, Progress progress, SeriesSet interval, long cpuNanos) {
    Histogram delivery = interval.of(Series.DELIVERY, Clock.SERVICE);
    double length = Math.max(1e-6, (nanos - lastNanos) / 1e9);
    rows.add(
        new Row(
            phase,
            nanos / 1e9,
            length,
            progress.sent() - last.sent(),
            progress.delivered() - last.delivered(),
            delivery.getValueAtPercentile(50) / 1e3,
            delivery.getValueAtPercentile(95) / 1e3,
            delivery.getValueAtPercentile(99) / 1e3,
            delivery.getMaxValue() / 1e3,
            progress.inFlight(),
            (cpuNanos - lastCpuNanos) / length / 1e7));
    log(nanos, interval);
    last = progress;
    lastNanos = nanos;
    lastCpuNanos = cpuNanos;
  }

  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /** The interval log, readable by the HdrHistogram tools. */
  public String log() {
    logStream.flush();
    return log.toString(StandardCharsets.UTF_8);
  }

  /** One line per interval; empty cells where nothing was delivered. */
  public String csv() {
    StringBuilder csv = new StringBuilder();
    csv.append(
        "seconds,phase,length,sent,delivered,deliveredPerSecond,p50Ms,p95Ms,p99Ms,maxMs,inFlight,"
            + "cpuPercent\n");
    for (Row row : rows) {
      String latencies =
          row.delivered == 0
              ? ",,,"
              : String.format(
                  Locale.ROOT,
                  "%.3f,%.3f,%.3f,%.3f",
                  row.p50Millis,
                  row.p95Millis,
                  row.p99Millis,
                  row.maxMillis);
      csv.append(
          String.format(
              Locale.ROOT,
              "%.3f,%s,%.3f,%d,%d,%.0f,%s,%d,%.1f%n",
              row.seconds,
              row.phase.name().toLowerCase(Locale.ROOT),
              row.length,
              row.sent,
              row.delivered,
              row.delivered / row.length,
              latencies,
              row.inFlight,
              row.cpuPercent));
    }
    return csv.toString();
  }

  private void log(long nanos, SeriesSet interval) {
    for (Series series : Series.values()) {
      for (Clock clock : Clock.values()) {
        Histogram histogram = interval.of(series, clock);
        if (histogram.getTotalCount() > 0) {
          histogram.setTag(series.label() + "-" + clock.name().toLowerCase(Locale.ROOT));
          histogram.setStartTimeStamp(startMillis + lastNanos / 1_000_000);
          histogram.setEndTimeStamp(startMillis + nanos / 1_000_000);
          writer.outputIntervalHistogram(histogram);
        }
      }
    }
  }
}
