package dev.chatflow.client.report;

import dev.chatflow.client.observe.Samples;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Headline figures and the client's own health, as rows of name and value. Stateless. */
final class Figures {
  private Figures() {}

  static List<List<String>> rows(RunResult result) {
    Tally tally = result.record().tally();
    List<List<String>> rows = new ArrayList<>();
    row(rows, "total runtime", Numbers.seconds(result.totalSeconds()));
    row(rows, "recorded window", Numbers.seconds(result.record().windowSeconds()));
    row(rows, "ended", result.record().ended());
    row(rows, "deliveries per second", whole(result.deliveriesPerSecond()));
    row(rows, "accepted messages per second", whole(result.acceptedPerSecond()));
    row(rows, "deliveries", Numbers.whole(tally.deliveries()));
    row(rows, "messages sent", Numbers.whole(tally.written()));
    row(rows, "failed messages", Numbers.whole(tally.textsUnsent + tally.rejected));
    row(rows, "fan-out of a TEXT", String.format(Locale.ROOT, "%.1f", result.textFanOut()));
    row(rows, "delivery p50", Numbers.millis(result.deliveryPercentile(50)) + " ms");
    row(rows, "delivery p99", Numbers.millis(result.deliveryPercentile(99)) + " ms");
    row(rows, "connections opened", Numbers.whole(tally.connectionsOpened));
    row(rows, "connections failed", Numbers.whole(tally.connectionsFailed));
    row(rows, "reconnections", Numbers.whole(tally.reconnections));
    row(rows, "retries", Numbers.whole(tally.retries));
    result
        .apdex()
        .ifPresent(apdex ->
            row(
                rows,
                "APDEX, T = " + result.tag().apdex().toMillis() + " ms",
                String.format(Locale.ROOT, "%.3f", apdex)));
    return rows;
  }

  static List<List<String>> trust(RunResult result) {
    Samples own = result.observations().own();
    Histogram lag = result.record().series().of(Series.LAG, result.mainClock());
    List<List<String>> rows = new ArrayList<>();
    row(rows, "was the client the bottleneck?", result.isBottleneck() ? "YES" : "no");
    row(rows, "was it often behind because others had the CPU?", result.isStarved() ? "YES" : "no");
    row(rows, "load loops busy", percent(result.busyShare()));
    row(rows, "load loops on a CPU", percent(result.loopCpuShare()));
    row(rows, "load loops waiting for a CPU", percent(result.loopQueuedShare()));
    row(
        rows,
        "intervals behind: own fault, others' fault, of all",
        result.record().tally().saturatedIntervals
            + ", "
            + result.record().tally().starvedIntervals
            + ", "
            + result.record().tally().intervals);
    row(rows, "CPU of the process", Numbers.seconds(result.cpuSeconds()));
    row(
        rows,
        "CPU per delivery",
        String.format(Locale.ROOT, "%.3f us", result.cpuMicrosPerDelivery()));
    row(rows, "frames per read", String.format(Locale.ROOT, "%.1f", result.framesPerRead()));
    if (lag.getTotalCount() > 0) {
      row(
          rows,
          "lateness of sends, p99",
          Numbers.millis((double) lag.getValueAtPercentile(99)) + " ms");
    }
    row(
        rows,
        "timer of 1 ms late, at worst",
        Numbers.plain(own.statistic("hiccupMillis", "max").orElse(0)) + " ms");
    row(
        rows,
        "garbage collections",
        String.format(Locale.ROOT, "%.0f ms", result.collectionMillis()));
    row(rows, "full sockets", Numbers.whole(result.record().traffic().fullSockets));
    return rows;
  }

  private static void row(List<List<String>> rows, String name, String value) {
    rows.add(List.of(name, value));
  }

  private static String whole(double value) {
    return Numbers.whole(Math.round(value));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }
}
