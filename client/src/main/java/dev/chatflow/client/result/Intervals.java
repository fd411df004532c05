package dev.chatflow.client.result;

import static dev.chatflow.client.record.Csv.column;

import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Csv;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The intervals of a run: rows for charts and CSV, and histograms for the interval log.
 *
 * <p>Belongs to the observing thread. Bounded by the run: one row (100 bytes) and some compressed
 * histograms (1-10 KB) per interval.
 */
public final class Intervals {

  /**
   * One interval.
   *
   * @param seconds end of the interval, since the run's origin
   * @param p50Millis median of recorded deliveries, as the following percentiles; {@code NaN}
   *     without deliveries
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
      double cpuPercent,
      long accepted,
      double echoMeanMillis,
      double meanInFlight) {}

  /** An external event, in seconds since the run's start. */
  public record Event(double seconds, String label) {}

  private final List<Row> rows = new ArrayList<>();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream logStream = new PrintStream(log, false, StandardCharsets.UTF_8);
  private final HistogramLogWriter writer = new HistogramLogWriter(logStream);
  private final long startMillis;
  private final Clock clock;
  private List<Event> events = List.of();
  private Progress last = Progress.NONE;
  private long lastNanos;
  private long lastCpuNanos;

  /**
   * Creates an empty course.
   *
   * @param clock clock of the percentiles in the rows
   */
  public Intervals(long startMillis, long cpuNanos, Clock clock) {
    this.startMillis = startMillis;
    this.clock = clock;
    lastCpuNanos = cpuNanos;
    writer.setBaseTime(startMillis);
    writer.outputLogFormatVersion();
    writer.outputStartTime(startMillis);
    writer.outputBaseTime(startMillis);
    writer.outputLegend();
  }

  /** Adds the interval that ends now. */
  public void add(Phase phase, long nanos, Progress progress, SeriesSet interval, long cpuNanos) {
    Histogram delivery = interval.of(Series.DELIVERY, clock);
    Histogram echo = interval.of(Series.ECHO, Clock.SERVICE);
    double length = Math.max(1e-6, (nanos - lastNanos) / 1e9);
    rows.add(
        new Row(
            phase,
            nanos / 1e9,
            length,
            progress.sent() - last.sent(),
            progress.delivered() - last.delivered(),
            Numbers.percentileMillis(delivery, 50),
            Numbers.percentileMillis(delivery, 95),
            Numbers.percentileMillis(delivery, 99),
            Numbers.percentileMillis(delivery, 100),
            progress.inFlight(),
            (cpuNanos - lastCpuNanos) / length / 1e7,
            echo.getTotalCount(),
            echo.getTotalCount() == 0 ? 0 : echo.getMean() / 1e3,
            (progress.inFlightNanos() - last.inFlightNanos()) / length / 1e9));
    log(nanos, interval);
    last = progress;
    lastNanos = nanos;
    lastCpuNanos = cpuNanos;
  }

  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /** Returns the interval log in the format of HdrHistogram. */
  public String log() {
    logStream.flush();
    return log.toString(StandardCharsets.UTF_8);
  }

  /** Returns one line per interval, with empty cells without latencies. */
  String csv() {
    return Csv.of(
        rows,
        column("seconds", Row::seconds),
        column("phase", row -> row.phase.name().toLowerCase(Locale.ROOT)),
        column("length", Row::length),
        column("sent", Row::sent),
        column("delivered", Row::delivered),
        column("deliveredPerSecond", row -> (double) Math.round(row.delivered / row.length)),
        column("p50Ms", Row::p50Millis),
        column("p95Ms", Row::p95Millis),
        column("p99Ms", Row::p99Millis),
        column("maxMs", Row::maxMillis),
        column("inFlight", Row::inFlight),
        column("cpuPercent", Row::cpuPercent),
        column("accepted", Row::accepted),
        column("echoMeanMs", Row::echoMeanMillis),
        column("meanInFlight", Row::meanInFlight));
  }

  /** Reads the results of {@link #csv} and {@link #log}. */
  static Intervals read(String csv, String log, Clock clock, List<Event> events) {
    Intervals intervals = new Intervals(startOf(log), 0, clock);
    intervals.logStream.flush();
    intervals.log.reset();
    intervals.logStream.print(log);
    intervals.events = List.copyOf(events);
    csv.lines().skip(1).forEach(line -> intervals.rows.add(row(Csv.cells(line))));
    return intervals;
  }

  private static Row row(String[] cells) {
    return new Row(
        Phase.valueOf(cells[1].toUpperCase(Locale.ROOT)),
        number(cells[0]),
        number(cells[2]),
        (long) number(cells[3]),
        (long) number(cells[4]),
        latency(cells[6]),
        latency(cells[7]),
        latency(cells[8]),
        latency(cells[9]),
        (long) number(cells[10]),
        number(cells[11]),
        (long) number(cells[12]),
        number(cells[13]),
        number(cells[14]));
  }

  private static double latency(String cell) {
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }

  private static double number(String cell) {
    return cell.isEmpty() ? 0 : Double.parseDouble(cell);
  }

  private static long startOf(String log) {
    try (HistogramLogReader reader = reader(log)) {
      if (reader.hasNext()) {
        reader.nextIntervalHistogram(); // reads the header
      }
      return Math.round(reader.getStartTimeSec() * 1_000);
    }
  }

  private static HistogramLogReader reader(String log) {
    return new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the histograms of one series from the log, one per interval. */
  public List<Histogram> histograms(Series series, Clock which) {
    List<Histogram> found = new ArrayList<>();
    each(histogram -> {
      if (tag(series, which).equals(histogram.getTag())) {
        found.add(histogram);
      }
    });
    return found;
  }

  /** Adds all histograms of the log to totals. */
  void addTo(SeriesSet totals) {
    eachInterval((series, which, histogram) -> totals.of(series, which).add(histogram));
  }

  private void each(Consumer<Histogram> taker) {
    try (HistogramLogReader reader = reader(log())) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram histogram) {
          taker.accept(histogram);
        }
      }
    }
  }

  /** Receives histograms one by one. */
  public interface Taker {
    void take(Series series, Clock clock, Histogram histogram);
  }

  /** Passes every histogram of the log to a receiver. */
  public void eachInterval(Taker taker) {
    Map<String, Consumer<Histogram>> byTag = new HashMap<>();
    for (Series series : Series.values()) {
      for (Clock which : Clock.values()) {
        byTag.put(tag(series, which), histogram -> taker.take(series, which, histogram));
      }
    }
    each(histogram -> byTag.getOrDefault(histogram.getTag(), _ -> {}).accept(histogram));
  }

  /** Returns the end of an interval, in seconds since the run's origin. */
  public double endOf(Histogram histogram) {
    return (histogram.getEndTimeStamp() - startMillis) / 1e3;
  }

  public List<Event> events() {
    return events;
  }

  private static String tag(Series series, Clock which) {
    return series.label() + "-" + which.name().toLowerCase(Locale.ROOT);
  }

  private void log(long nanos, SeriesSet interval) {
    for (Series series : Series.values()) {
      for (Clock which : Clock.values()) {
        Histogram histogram = interval.of(series, which);
        if (histogram.getTotalCount() > 0) {
          histogram.setTag(tag(series, which));
          histogram.setStartTimeStamp(startMillis + lastNanos / 1_000_000);
          histogram.setEndTimeStamp(startMillis + nanos / 1_000_000);
          writer.outputIntervalHistogram(histogram);
        }
      }
    }
  }
}
