package dev.chatflow.client.report;

import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.record.HalfSeconds;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.result.Intervals;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.ServerFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws the course of a run. Immutable. */
final class RunCharts {
  private static final double HALF = 0.5;
  private static final int MAX_POINTS = 1_200;
  private static final int MAX_BARS = 60;
  private static final int MAX_SCRAPED = 12;

  private final RunResult result;
  private final List<Intervals.Row> rows;
  private final Intervals intervals;

  /** The end of all charts over time. */
  private final double seconds;

  RunCharts(RunResult result, Intervals intervals) {
    this.result = result;
    this.intervals = intervals;
    rows = intervals.rows();
    double halves = result.record().halves().size() * HALF;
    seconds = Math.max(halves, rows.isEmpty() ? 0 : rows.getLast().seconds());
  }

  /** Returns all charts with values. */
  List<Chart> all() {
    List<Chart> all = new ArrayList<>(throughput());
    all.addAll(latency());
    all.add(LatencyCharts.spectrum(result));
    all.addAll(ResultBars.all(result));
    all.addAll(rooms());
    all.addAll(servers());
    all.addAll(broker());
    all.addAll(scraped());
    all.addAll(client());
    return all;
  }

  List<Chart> throughput() {
    HalfSeconds halves = result.record().halves();
    return List.of(
        buckets("deliveries", "Deliveries per second, in half seconds", halves.delivered()),
        line("throughput", "Messages per second: sent and accepted")
            .line("sent", bucketEnds(halves.size(), HALF), perSecond(halves.sent(), 1))
            .line("accepted", bucketEnds(halves.size(), HALF), perSecond(halves.accepted(), 1))
            .draw(),
        tenSeconds(halves));
  }

  private Chart tenSeconds(HalfSeconds halves) {
    double[] perSecond = perSecond(halves.accepted(), 20);
    double seconds = Math.max(1e-9, result.record().windowSeconds());
    double[] ends = bucketEnds(perSecond.length, 10);
    if (ends.length > 0) {
      ends[ends.length - 1] = halves.size() * HALF;
    }
    return line("throughput-10s", "Accepted messages per second, in 10 seconds")
        .line("accepted", ends, perSecond)
        .mean(Arrays.stream(halves.accepted()).sum() / seconds)
        .draw();
  }

  private Chart buckets(String name, String title, long[] counts) {
    return line(name, title)
        .line(name, bucketEnds(counts.length, HALF), perSecond(counts, 1))
        .draw();
  }

  List<Chart> latency() {
    List<Chart> charts = new ArrayList<>();
    charts.add(
        timed("latency", "Delivery latency over time", "ms")
            .line("p50", seconds(), of(Intervals.Row::p50Millis))
            .line("p95", seconds(), of(Intervals.Row::p95Millis))
            .line("p99", seconds(), of(Intervals.Row::p99Millis))
            .line("max", seconds(), of(Intervals.Row::maxMillis))
            .draw());
    charts.add(LatencyCharts.heatMap(intervals, result.mainClock(), seconds));
    return charts;
  }

  List<Chart> rooms() {
    List<RoomFigures> rooms = result.record().rooms();
    if (rooms.size() > MAX_BARS) {
      return List.of();
    }
    BarChart throughput = BarChart.of("rooms", "Accepted messages per second and room", "1/s");
    BarChart echo =
        BarChart.of("rooms-latency", "Echo latency per room", "ms").series("p50", "p99");
    for (RoomFigures room : rooms) {
      throughput.bars(Integer.toString(room.room()), room.throughput());
      echo.bars(Integer.toString(room.room()), room.medianEchoMillis(), room.p99EchoMillis());
    }
    return List.of(throughput.draw(), echo.draw());
  }

  List<Chart> servers() {
    List<ServerFigures> servers = ServerFigures.of(result);
    BarChart deliveries = BarChart.of("servers", "Deliveries per server", "");
    BarChart latency = BarChart.of("servers-latency", "Mean delivery latency per server", "ms");
    for (ServerFigures server : servers) {
      deliveries.bars(server.name(), (double) server.deliveries());
      latency.bars(server.name(), server.meanMillis());
    }
    return List.of(deliveries.draw(), latency.draw());
  }

  List<Chart> broker() {
    BrokerFigures broker = result.observations().broker();
    if (broker == null) {
      return List.of();
    }
    Samples rates = broker.rates();
    double[] at = rates.seconds();
    return List.of(
        timed("broker-depth", "Queued messages (AMQP, every 250 ms)", "")
            .line("ready", broker.depth().seconds(), broker.depth().column("ready"))
            .draw(),
        timed("broker-rates", "Rates of the broker (management API, seconds late)", "1/s")
            .line("publish", at, rates.column("publishPerSecond"))
            .line("deliver", at, rates.column("deliverPerSecond"))
            .line("ack", at, rates.column("ackPerSecond"))
            .draw(),
        timed("broker-unacked", "Messages at the broker (management API)", "")
            .line("ready", at, rates.column("ready"))
            .line("unacked", at, rates.column("unacked"))
            .line("connections blocked", at, rates.column("blocked"))
            .draw());
  }

  /** Draws the metrics of objectives, then those that are usually informative. */
  List<Chart> scraped() {
    List<Chart> charts = new ArrayList<>();
    for (String metric : ScrapedTable.interesting(result).stream().limit(MAX_SCRAPED).toList()) {
      LineChart chart = timed("scraped-" + metric.replace(':', '_'), metric, "");
      result
          .observations()
          .scrapes()
          .forEach(scrape ->
              chart.line(
                  scrape.source(), scrape.samples().seconds(), scrape.samples().column(metric)));
      charts.add(chart.draw());
    }
    return charts;
  }

  List<Chart> client() {
    Samples own = result.observations().own();
    return List.of(
        timed("in-flight", "Messages in flight", "")
            .line("in flight", seconds(), of(Intervals.Row::meanInFlight))
            .draw(),
        timed("client-cpu", "CPU of the client", "% of a core")
            .line("cpu", own.seconds(), own.column("cpuPercent"))
            .draw(),
        timed("client-hiccups", "Pauses of the client: late timer, collections", "ms")
            .line("latest timer", own.seconds(), own.column("hiccupMillis"))
            .line("collections", own.seconds(), own.column("gcMillis"))
            .draw());
  }

  private LineChart line(String name, String title) {
    return timed(name, title, "1/s");
  }

  private LineChart timed(String name, String title, String unit) {
    LineChart chart = LineChart.of(name, title, unit).until(seconds);
    for (Phase phase : List.of(Phase.MAIN, Phase.DRAIN)) {
      double from = beginOf(phase);
      double to = beginOf(phase.next());
      if (to > from) {
        chart.band(phase.name().toLowerCase(Locale.ROOT), from, to);
      }
    }
    intervals.events().forEach(event -> chart.mark(event.seconds(), event.label()));
    return chart;
  }

  /** Returns the start of a phase in seconds since the run's origin. */
  private double beginOf(Phase phase) {
    return result.record().phases().nanosBetween(Phase.CONNECT, phase) / 1e9;
  }

  private double[] seconds() {
    return rows.stream().mapToDouble(Intervals.Row::seconds).toArray();
  }

  private double[] of(ToDoubleFunction<Intervals.Row> figure) {
    return rows.stream().mapToDouble(figure).toArray();
  }

  /**
   * Returns the rates of buckets of at least {@code each} half seconds, longer for fewer points.
   * The last one may be shorter.
   */
  private static double[] perSecond(long[] halves, int each) {
    int width = widthOf(halves.length, each);
    double[] rates = new double[(halves.length + width - 1) / width];
    for (int i = 0; i < halves.length; i++) {
      int own = Math.min(width, halves.length - i / width * width);
      rates[i / width] += halves[i] / (own * HALF);
    }
    return rates;
  }

  private static int widthOf(int halves, int each) {
    return Math.max(each, halves / MAX_POINTS + 1);
  }

  private static double[] bucketEnds(int buckets, double width) {
    int merged = width == HALF ? widthOf(buckets, 1) : 1;
    double[] ends = new double[(buckets + merged - 1) / merged];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = (i + 1) * width * merged;
    }
    return ends;
  }
}
