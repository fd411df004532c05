package dev.chatflow.client.report;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Example;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The result for people: verdict first, figures, latencies, what it cost. Stateless. */
public final class TextReport {
  private static final int MAX_EXAMPLES = 5;

  private final RunResult result;
  private final StringBuilder out = new StringBuilder(4096);

  private TextReport(RunResult result) {
    this.result = result;
  }

  public static String of(RunResult result) {
    return new TextReport(result).render();
  }

  /** Rooms and connections one by one, for {@code --verbose}. */
  public static String details(RunResult result) {
    StringBuilder text = new StringBuilder();
    for (RoomFigures room : result.record().rooms()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  Room %d | users: %d | throughput: %.1f msg/s | mean latency: %.1f ms | median"
                  + " latency: %.1f ms | p99: %.1f ms%n",
              room.room(),
              room.users(),
              room.throughput(),
              room.meanEchoMillis(),
              room.medianEchoMillis(),
              room.p99EchoMillis()));
    }
    Map<Integer, Long> accepted =
        result.record().rooms().stream()
            .collect(Collectors.toMap(RoomFigures::room, RoomFigures::accepted));
    int user = 0;
    for (ConnectionFigures one : result.record().connections()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  DONE: User %d in room %d: received %d/%d%n",
              user++ % result.plan().workload().roomSize() + 1,
              one.room(),
              one.received(),
              accepted.getOrDefault(one.room(), 0L)));
    }
    return text.toString();
  }

  private String render() {
    line("%s", result.verdict().headline());
    examples();
    line("");
    figures();
    line("");
    latencies();
    line("");
    costs();
    return out.toString();
  }

  private void examples() {
    for (Defect defect : Defect.values()) {
      List<Example> found = result.findings().examples(defect);
      found.stream().limit(MAX_EXAMPLES).forEach(example -> line("  %s", line(example)));
    }
    Map<String, Long> failures = result.record().tally().failures();
    failures.entrySet().stream()
        .limit(MAX_EXAMPLES)
        .forEach(
            entry -> line("  failure %s x %s", entry.getKey(), Numbers.whole(entry.getValue())));
  }

  /** One defect in words. */
  static String line(Example example) {
    String echo = example.echoNanos() < 0 ? "none" : at(example.echoNanos());
    String written = example.writtenNanos() < 0 ? "unknown" : at(example.writtenNanos());
    return String.format(
        Locale.ROOT,
        "%-10s sender %s seq %s -> receiver %d (room %d)  written %s, echo %s",
        example.defect().label(),
        example.sender() < 0 ? "?" : example.sender(),
        example.seq() < 0 ? "?" : example.seq(),
        example.receiver(),
        example.room(),
        written,
        echo);
  }

  private static String at(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }

  private void figures() {
    RunRecord record = result.record();
    Tally tally = record.tally();
    pair(
        "Total runtime",
        Numbers.seconds(result.totalSeconds()),
        "(window " + Numbers.seconds(record.windowSeconds()) + ")",
        "Connections",
        Numbers.whole(tally.connectionsOpened)
            + " opened, "
            + tally.connectionsFailed
            + " failed, "
            + tally.connectionsLost
            + " lost, "
            + tally.reconnections
            + " reconnected");
    pair(
        "Messages sent",
        Numbers.whole(tally.written()),
        "(" + Numbers.whole(Math.round(result.acceptedPerSecond())) + " /s)",
        "Retries",
        Numbers.whole(tally.retries));
    pair(
        "Failed messages",
        Numbers.whole(tally.textsUnsent + tally.rejected),
        "",
        "Types",
        "TEXT "
            + Numbers.whole(tally.textsWritten)
            + "  JOIN "
            + Numbers.whole(tally.joinsWritten)
            + "  LEAVE "
            + Numbers.whole(tally.leavesWritten));
    pair(
        "Delivered",
        Numbers.whole(tally.deliveries()),
        "(" + Numbers.whole(Math.round(result.deliveriesPerSecond())) + " /s)",
        "Fan-out",
        String.format(Locale.ROOT, "%.1f (TEXT %.1f)", result.fanOut(), result.textFanOut()));
    rooms(record.rooms());
    line(
        "  Recorded window %s = first due send .. last required delivery; ended: %s",
        Numbers.seconds(record.windowSeconds()), record.ended());
    refusals(tally);
  }

  private void refusals(Tally tally) {
    if (tally.rejected > 0) {
      line("  Refused          %s", join(tally.errorCodes()));
    }
    if (tally.connectionsLost > 0) {
      line("  Close codes      %s", join(tally.closeCodes()));
    }
    if (tally.dropped + tally.slowLost + tally.resent > 0) {
      line(
          "  Disturbance      dropped %s, slow readers closed %s, messages sent again %s",
          Numbers.whole(tally.dropped), Numbers.whole(tally.slowLost), Numbers.whole(tally.resent));
    }
    if (tally.foreignFrames + tally.syntheticLeaves + tally.unreadableFrames > 0) {
      line(
          "  Other frames     foreign %s, synthetic LEAVE %s, unreadable %s",
          Numbers.whole(tally.foreignFrames),
          Numbers.whole(tally.syntheticLeaves),
          Numbers.whole(tally.unreadableFrames));
    }
  }

  private static String join(Map<?, Long> counts) {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + " " + Numbers.whole(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void rooms(List<RoomFigures> rooms) {
    double[] sorted = rooms.stream().mapToDouble(RoomFigures::throughput).sorted().toArray();
    if (sorted.length == 0) {
      return;
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    line(
        "  Room throughput      median %s msg/s, min %s, max %s",
        Numbers.whole(Math.round(median)),
        Numbers.whole(Math.round(sorted[0])),
        Numbers.whole(Math.round(sorted[sorted.length - 1])));
  }

  private void latencies() {
    line(
        "  %-18s %9s %9s %9s %9s %9s %9s %9s %9s %12s",
        "latency ms", "min", "mean", "stddev", "p50", "p95", "p99", "p99.9", "max", "count");
    latency("connect", Series.CONNECT, Clock.SERVICE);
    latency("join", Series.JOIN, Clock.SERVICE);
    if (result.hasTwoClocks()) {
      for (Series series : List.of(Series.ECHO, Series.DELIVERY, Series.FANOUT)) {
        latency(name(series) + " resp.", series, Clock.RESPONSE);
        latency(name(series) + " service", series, Clock.SERVICE);
      }
      latency("lag", Series.LAG, Clock.RESPONSE);
    } else {
      for (Series series : List.of(Series.ECHO, Series.DELIVERY, Series.FANOUT)) {
        latency(name(series), series, Clock.SERVICE);
      }
    }
    latency(" same server", Series.DELIVERY_SAME, result.mainClock());
    latency(" cross server", Series.DELIVERY_CROSS, result.mainClock());
    latency("skew", Series.SKEW, Clock.SERVICE);
    latency("recovery", Series.RECOVERY, Clock.SERVICE);
    if (result.plan().pacing().model() == Pacing.Model.BURST) {
      line(
          "  note: burst model - latency includes the client's own backlog (mean in flight %.1f per"
              + " user). Use --rate for service latency.",
          result.meanInFlight() / result.plan().workload().users());
    }
  }

  private static String name(Series series) {
    return series == Series.FANOUT ? "fan-out" : series.label();
  }

  private void latency(String name, Series series, Clock clock) {
    Histogram histogram = result.record().series().of(series, clock);
    if (histogram.getTotalCount() == 0) {
      return;
    }
    line(
        "  %-18s %9s %9s %9s %9s %9s %9s %9s %9s %12s",
        name,
        Numbers.millis((double) histogram.getMinValue()),
        Numbers.millis(histogram.getMean()),
        Numbers.millis(histogram.getStdDeviation()),
        Numbers.millis((double) histogram.getValueAtPercentile(50)),
        Numbers.millis((double) histogram.getValueAtPercentile(95)),
        Numbers.millis((double) histogram.getValueAtPercentile(99)),
        Numbers.millis((double) histogram.getValueAtPercentile(99.9)),
        Numbers.millis((double) histogram.getMaxValue()),
        Numbers.whole(histogram.getTotalCount()));
  }

  private void costs() {
    littlesLaw();
    line(
        "  client         cpu %.1f s in the window (%.0f%% of one core), %.3f us per delivery,"
            + " %.1f frames per read, full sockets %s",
        result.cpuSeconds(),
        result.loadedSeconds() == 0 ? 0 : result.cpuSeconds() * 100 / result.loadedSeconds(),
        result.cpuMicrosPerDelivery(),
        result.framesPerRead(),
        Numbers.whole(result.record().traffic().fullSockets));
    line(
        "  trust          loop busy %.0f%%, on a CPU %.0f%%, waiting for one %.0f%%, GC %.1f s  -> %s",
        result.busyShare() * 100,
        result.loopCpuShare() * 100,
        result.loopQueuedShare() * 100,
        result.collectionMillis() / 1e3,
        result.isBottleneck()
            ? "the client was the bottleneck"
            : "the client was not the bottleneck");
    machine();
    out.append(ObservedText.of(result));
    line("  objectives     %s", String.join("   ", result.verdict().objectives()));
  }

  private void machine() {
    MachineCpu machine = result.machineCpu();
    double total = machine.totalNanos();
    if (total > 0) {
      double own = result.cpuSeconds() * 1e9;
      line(
          "  machine        %d cores: client %.0f%%, others %.0f%%, stolen %.0f%%, idle %.0f%%%s",
          result.machine().cores(),
          own * 100 / total,
          Math.max(0, machine.busyNanos() - own) * 100 / total,
          machine.stolenNanos() * 100 / total,
          machine.idleNanos() * 100 / total,
          result.isStarved()
              ? "  -> WARNING: it had no CPU left for the client; latencies contain that waiting"
              : "");
    }
  }

  private void littlesLaw() {
    LittlesLaw law = LittlesLaw.ofRun(result);
    line(
        "  Little's law   in flight %s measured, %s/s x %s ms = %s predicted (%+.1f%%)",
        Numbers.whole(Math.round(law.measured())),
        Numbers.whole(Math.round(law.perSecond())),
        Numbers.millis(law.millis() * 1e3),
        Numbers.whole(Math.round(law.predicted())),
        law.difference());
    result
        .apdex()
        .ifPresent(apdex ->
            line("  APDEX          %.3f (T = %d ms)", apdex, result.tag().apdex().toMillis()));
  }

  private void pair(String name, String value, String note, String second, String text) {
    line("  %-15s %12s   %-18s %-12s %s", name, value, note, second, text);
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"})
  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
