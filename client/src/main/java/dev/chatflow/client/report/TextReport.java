package dev.chatflow.client.report;

import dev.chatflow.client.Printable;
import dev.chatflow.client.compat.ChatFlowGoConsumer;
import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.result.Figure;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.LittlesLaw;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Writes the result for people: verdict, figures, latencies and cost. Belongs to one thread. */
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

  /** Returns the figures of each room and connection, for {@code --verbose}. */
  public static String details(RunResult result) {
    return new TextReport(result).details();
  }

  private String render() {
    line("%s", result.verdict().headline());
    result.warnings().forEach(warning -> line("WARNING  %s", warning));
    examples();
    line("");
    pairs(Figures.headline(result));
    signals();
    rooms();
    codes("Refused", result.record().tally().errorCodes());
    codes("Close codes", result.record().tally().closeCodes());
    line(
        "  ended: %s; the window is from the first due send to the last required delivery",
        result.record().ended());
    line("");
    latencies();
    line("");
    littlesLaw();
    out.append(observed(result));
    line("");
    line("  Are these figures reliable?");
    pairs(Figures.in(Figure.Display.TRUST));
    machine();
    line("");
    line("  objectives     %s", objectives());
    return out.toString();
  }

  private String objectives() {
    return result.record().interrupted()
        ? "not evaluated: the run was interrupted"
        : String.join("   ", result.verdict().objectives());
  }

  private void examples() {
    for (Defect defect : Defect.values()) {
      List<Findings.Example> found = result.findings().examples(defect);
      found.stream().limit(MAX_EXAMPLES).forEach(example -> line("  %s", line(example)));
    }
    result.record().tally().failures().entrySet().stream()
        .limit(MAX_EXAMPLES)
        .forEach(one ->
            line("  failure %s x %s", Printable.of(one.getKey()), Numbers.whole(one.getValue())));
  }

  /** Describes a defect. */
  public static String line(Findings.Example example) {
    return String.format(
        Locale.ROOT,
        "%-10s sender %s seq %s -> receiver %d (room %d)  written %s, echo %s",
        example.defect().label(),
        example.sender() < 0 ? "?" : example.sender(),
        example.seq() < 0 ? "?" : example.seq(),
        example.receiver(),
        example.room(),
        example.writtenNanos() < 0 ? "unknown" : at(example.writtenNanos()),
        example.echoNanos() < 0 ? "none" : at(example.echoNanos()));
  }

  private static String at(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }

  /** Adds label and value, two per line, without unknown figures. */
  private void pairs(List<Figure> figures) {
    List<String> cells =
        figures.stream()
            .filter(figure -> !Double.isNaN(figure.of(result)))
            .map(figure ->
                String.format(Locale.ROOT, "%-32s %12s", figure.label(), figure.text(result)))
            .toList();
    for (int i = 0; i < cells.size(); i += 2) {
      line("  %s     %s", cells.get(i), i + 1 < cells.size() ? cells.get(i + 1) : "");
    }
  }

  private void codes(String name, Map<?, Long> counts) {
    if (!counts.isEmpty()) {
      String all =
          counts.entrySet().stream()
              .map(entry ->
                  Printable.of(entry.getKey() + "") + " " + Numbers.whole(entry.getValue()))
              .collect(Collectors.joining(", "));
      line("  %-16s %s", name, all);
    }
  }

  private void signals() {
    if (result.plan().workload().extras().hasSignals()) {
      line(
          "  Signals          missing: members present at each send, minus copies; includes members"
              + " that then lost their connection. It is no defect: a server may drop signals.");
    }
  }

  private void rooms() {
    double[] sorted =
        result.record().rooms().stream().mapToDouble(RoomFigures::throughput).sorted().toArray();
    int middle = sorted.length / 2;
    line(
        "  Room throughput  median %s msg/s, min %s, max %s",
        Numbers.whole(Math.round((sorted[middle] + sorted[(sorted.length - 1) / 2]) / 2)),
        Numbers.whole(Math.round(sorted[0])),
        Numbers.whole(Math.round(sorted[sorted.length - 1])));
  }

  private void latencies() {
    row(
        "latency ms",
        List.of("min", "mean", "stddev", "p50", "p95", "p99", "p99.9", "max"),
        "count");
    latency("connect", Series.CONNECT, Clock.SERVICE);
    latency("join", Series.JOIN, Clock.SERVICE);
    for (Series series : List.of(Series.ECHO, Series.DELIVERY, Series.FANOUT)) {
      String name = series == Series.FANOUT ? "fan-out" : series.label();
      if (result.hasTwoClocks()) {
        latency(name + " resp.", series, Clock.RESPONSE);
      }
      latency(name + (result.hasTwoClocks() ? " service" : ""), series, Clock.SERVICE);
    }
    latency("lag", Series.LAG, result.mainClock());
    latency(" same server", Series.DELIVERY_SAME, result.mainClock());
    latency(" cross server", Series.DELIVERY_CROSS, result.mainClock());
    latency("skew", Series.SKEW, Clock.SERVICE);
    latency("recovery", Series.RECOVERY, Clock.SERVICE);
    latency("catch up", Series.CATCH_UP, Clock.SERVICE);
    latency("signal", Series.SIGNAL, Clock.SERVICE);
    if (result.plan().pacing().model() == Pacing.Model.BURST) {
      line(
          "  note: burst model - latency includes the client's own backlog (mean in flight %.1f"
              + " per user). Use --rate for service latency.",
          result.meanInFlight() / result.plan().workload().users());
    }
  }

  private void latency(String name, Series series, Clock clock) {
    Histogram histogram = result.record().series().of(series, clock);
    if (histogram.getTotalCount() > 0) {
      List<String> cells = Numbers.millis(histogram, 50, 95, 99, 99.9, 100);
      row(name, cells, Numbers.whole(histogram.getTotalCount()));
    }
  }

  private void row(String name, List<String> cells, String count) {
    line("  %-18s%s %12s", name, " %9s".repeat(cells.size()).formatted(cells.toArray()), count);
  }

  private void machine() {
    MachineCpu machine = result.machineCpu();
    double total = machine.totalNanos();
    if (total > 0) {
      double own = result.cpuSeconds() * 1e9;
      line(
          "  machine          %d cores: client %.0f%%, others %.0f%%, stolen %.0f%%, idle %.0f%%",
          result.machine().cores(),
          own * 100 / total,
          Math.max(0, machine.busyNanos() - own) * 100 / total,
          machine.stolenNanos() * 100 / total,
          machine.idleNanos() * 100 / total);
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
  }

  /** Returns the observers' figures as text. */
  static String observed(RunResult result) {
    StringBuilder text = new StringBuilder();
    Observations seen = result.observations();
    if (seen.broker() != null) {
      broker(text, result, seen.broker());
    }
    for (Scrape scrape : seen.scrapes()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  scrape         %s  %d metrics, %d of %d failed scrapes%n",
              scrape.source(),
              scrape.samples().columns().size(),
              scrape.samples().gaps(),
              scrape.samples().size()));
    }
    seen.complaints().forEach(line -> text.append("  not observed   ").append(line).append('\n'));
    if (seen.consumer() != null) {
      text.append('\n').append(ChatFlowGoConsumer.of(seen.consumer()));
    }
    return text.toString();
  }

  private static void broker(StringBuilder text, RunResult result, BrokerFigures broker) {
    text.append("  broker         ").append(broker.name()).append("; depth by AMQP every 250 ms: ");
    text.append(
        Figures.section("observed.broker").stream()
            .map(figure -> figure.label() + " " + figure.text(result))
            .collect(Collectors.joining(", ")));
    if (!broker.viaApi().isEmpty()) {
      text.append("; by the API, seconds late: ").append(String.join(", ", broker.viaApi()));
    }
    if (!broker.alarms().isEmpty()) {
      text.append("; ALARM ").append(String.join(", ", broker.alarms()));
    }
    text.append('\n');
  }

  private String details() {
    for (RoomFigures room : result.record().rooms()) {
      line(
          "  Room %d | users: %d | throughput: %.1f msg/s | mean latency: %.1f ms | median latency:"
              + " %.1f ms | p99: %.1f ms",
          room.room(),
          room.users(),
          room.throughput(),
          room.meanEchoMillis(),
          room.medianEchoMillis(),
          room.p99EchoMillis());
    }
    Map<Integer, Long> accepted =
        result.record().rooms().stream()
            .collect(Collectors.toMap(RoomFigures::room, RoomFigures::accepted, Long::sum));
    int user = 0;
    for (ConnectionFigures one : result.record().connections()) {
      line(
          "  DONE: User %d in room %d: received %d/%d",
          user++ % result.plan().workload().roomSize() + 1,
          one.room(),
          one.received(),
          accepted.getOrDefault(one.room(), 0L));
    }
    return out.toString();
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"})
  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
