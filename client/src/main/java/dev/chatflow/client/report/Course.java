package dev.chatflow.client.report;

import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.result.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The course of a run so far, as charts: one thread adds intervals, any thread draws. Holds at most
 * {@value #MOST} intervals; when it is full, every second one is dropped, and from then on as many
 * more.
 */
final class Course {
  private static final int MOST = 600;
  private static final String LAG = "chatflow_log_lag_seconds_max";
  private static final String CPU = "process_cpu_usage";

  private record Interval(
      double seconds, double sent, double delivered, double p50, double p99, double inFlight) {}

  // Guarded by this
  private List<Interval> intervals = new ArrayList<>();
  private Progress last = Progress.NONE;
  private double lastSeconds;
  private int seen;
  private int each = 1;

  synchronized void add(double seconds, Progress progress, SeriesSet interval) {
    Progress before = last;
    double length = Math.max(1e-3, seconds - lastSeconds);
    last = progress;
    lastSeconds = seconds;
    if (seen++ % each != 0) {
      return;
    }
    if (intervals.size() == MOST) {
      each *= 2;
      List<Interval> half = new ArrayList<>();
      for (int i = 0; i < intervals.size(); i += 2) {
        half.add(intervals.get(i));
      }
      intervals = half;
    }
    Histogram delivery = interval.of(Series.DELIVERY, Clock.SERVICE);
    intervals.add(
        new Interval(
            seconds,
            (progress.sent() - before.sent()) / length,
            (progress.delivered() - before.delivered()) / length,
            Numbers.percentileMillis(delivery, 50),
            Numbers.percentileMillis(delivery, 99),
            progress.inFlight()));
  }

  /**
   * Returns the current charts.
   *
   * @param scrapes samples of the servers' metrics pages so far
   */
  List<Chart> charts(List<Scrape> scrapes) {
    List<Interval> now;
    synchronized (this) {
      now = List.copyOf(intervals);
    }
    double[] at = column(now, Interval::seconds);
    return List.of(
        LineChart.of("live-deliveries", "Deliveries per second", "1/s")
            .line("delivered", at, column(now, Interval::delivered))
            .draw(),
        LineChart.of("live-sends", "Messages sent per second", "1/s")
            .line("sent", at, column(now, Interval::sent))
            .draw(),
        LineChart.of("live-latency", "Delivery latency (service)", "ms")
            .line("p50", at, column(now, Interval::p50))
            .line("p99", at, column(now, Interval::p99))
            .draw(),
        LineChart.of("live-in-flight", "Messages in flight", "")
            .line("in flight", at, column(now, Interval::inFlight))
            .draw(),
        scraped(
            "live-lag",
            "Log lag of the servers, maximum of the last minutes",
            "ms",
            LAG,
            1e3,
            scrapes),
        scraped("live-cpu", "CPU of the servers", "% of the machine", CPU, 100, scrapes));
  }

  private static double[] column(List<Interval> intervals, ToDoubleFunction<Interval> of) {
    return intervals.stream().mapToDouble(of).toArray();
  }

  private static Chart scraped(
      String name, String title, String unit, String metric, double factor, List<Scrape> scrapes) {
    LineChart chart = LineChart.of(name, title, unit);
    for (Scrape scrape : scrapes) {
      Samples samples = scrape.samples();
      double[] values = samples.column(metric);
      for (int i = 0; i < values.length; i++) {
        values[i] *= factor;
      }
      chart.line(scrape.source(), samples.seconds(), values);
    }
    return chart.draw();
  }
}
