package dev.chatflow.client.report;

import dev.chatflow.client.Invocation;
import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.Figure;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.Intervals;
import dev.chatflow.client.result.LittlesLaw;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.ServerFigures;
import dev.chatflow.client.result.Verdict;
import dev.chatflow.client.verify.Defect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/** Writes the result of a run as one page. */
final class HtmlReport {
  private static final int MAX_ROWS = 400;
  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9, 99.99, 100};

  private static final List<List<String>> GLOSSARY =
      Markup.resource(HtmlReport.class, "glossary.txt")
          .lines()
          .map(line -> List.of(line.split("\\|", 2)))
          .toList();

  private final RunResult result;
  private final Intervals intervals;
  private final RunCharts charts;
  private final HtmlPage page;

  private HtmlReport(RunResult result, Intervals intervals) {
    this.result = result;
    this.intervals = intervals;
    charts = new RunCharts(result, intervals);
    page = new HtmlPage("ChatFlow load run: " + result.label());
  }

  static String of(RunResult result, Intervals intervals) {
    return new HtmlReport(result, intervals).render();
  }

  private String render() {
    Verdict verdict = result.verdict();
    page.verdict(verdict.passed(), verdict.headline(), result.warnings());
    page.keyFigures(keyFigures());
    page.section("throughput", "Throughput").charts(charts.throughput());
    page.section("latency", "Latency").charts(charts.latency());
    page.charts(List.of(LatencyCharts.spectrum(result)));
    page.section("figures", "Figures").facts(figures(Figures.headline(result)));
    objectives(verdict);
    proof();
    page.section("trust", "Are these figures reliable?");
    page.facts(figures(Figures.in(Figure.Display.TRUST)));
    page.charts(charts.client());
    page.section("little", "Little's law: in flight = rate x latency");
    page.table("part|seconds|measured|accepted/s|mean echo ms|predicted|difference %", little());
    page.section("series", "All latencies");
    page.table("series, ms|clock|count|min|mean|stddev|p50|p90|p95|p99|p99.9|p99.99|max", series());
    page.charts(ResultBars.all(result));
    rooms();
    page.section("servers", "Servers").charts(charts.servers());
    page.table("server|connections|deliveries|mean ms|health", servers());
    broker();
    scraped();
    setUp();
    page.section("glossary", "Glossary").facts(GLOSSARY);
    return page.data(JsonReport.of(result)).end();
  }

  /**
   * Returns the key figures: deliveries, throughput and latency. The section "Figures" has the
   * others.
   */
  private List<List<String>> keyFigures() {
    return List.of(
        List.of("deliveries", Numbers.whole(result.record().tally().deliveries())),
        List.of("lost", defects(Defect.LOST)),
        List.of("duplicates", defects(Defect.DUPLICATE)),
        keyFigure("deliveries per second", "rates.deliveriesPerSecond"),
        keyFigure("delivery p50", "delivery.p50"),
        keyFigure("delivery p99", "delivery.p99"));
  }

  private List<String> keyFigure(String label, String name) {
    return List.of(label, Figures.named(name).orElseThrow().text(result));
  }

  private String defects(Defect defect) {
    return result.plan().judging().level() == Judging.Level.OFF
        ? "not checked"
        : Numbers.whole(result.findings().count(defect));
  }

  private void objectives(Verdict verdict) {
    page.section("objectives", "Objectives");
    if (verdict.judged().isEmpty()) {
      page.paragraph("No objective was evaluated: the run was interrupted, or had none.");
      return;
    }
    page.table(
        "objective|held",
        verdict.judged().stream()
            .map(one -> List.of(one.line(), one.holds() ? "yes" : "NO"))
            .toList());
  }

  private List<List<String>> figures(List<Figure> chosen) {
    return chosen.stream()
        .filter(figure -> !Double.isNaN(figure.of(result)))
        .map(figure -> List.of(figure.label(), figure.text(result)))
        .toList();
  }

  private List<List<String>> series() {
    List<List<String>> rows = new ArrayList<>();
    for (Series series : Series.values()) {
      for (Clock clock : result.hasTwoClocks() ? Clock.values() : new Clock[] {Clock.SERVICE}) {
        Histogram histogram = result.record().series().of(series, clock);
        if (histogram.getTotalCount() > 0) {
          rows.add(series(series.label(), clock, histogram));
        }
      }
    }
    return rows;
  }

  private static List<String> series(String name, Clock clock, Histogram histogram) {
    List<String> row = new ArrayList<>();
    row.add(name);
    row.add(clock.name().toLowerCase(Locale.ROOT));
    row.add(Numbers.whole(histogram.getTotalCount()));
    row.addAll(Numbers.millis(histogram, PERCENTILES));
    return row;
  }

  private void proof() {
    page.section("proof", "Proof");
    page.paragraph(
        switch (result.plan().judging().level()) {
          case OFF -> "Deliveries were not checked (--verify off).";
          case COUNT -> "Copies were only counted.";
          case EXACTLY_ONCE ->
              "Each expected copy was checked: received once, in sender order. --verify"
                  + " total-order also checks that all members see one order.";
          case TOTAL_ORDER, KEPT_ORDER ->
              "Each expected copy was checked: received once, in sender order and in the same"
                  + " order by all members of its room.";
        });
    Tally tally = result.record().tally();
    if (tally.of(Count.RECONNECTIONS) > 0) {
      page.paragraph(
          "%s memberships were lost and regained; %s of them received every missed message."
              .formatted(
                  Numbers.whole(tally.of(Count.RECONNECTIONS)),
                  Numbers.whole(tally.of(Count.RESUMED))));
    }
    List<List<String>> counts = new ArrayList<>();
    List<List<String>> examples = new ArrayList<>();
    for (Defect defect : Defect.values()) {
      counts.add(List.of(defect.label(), Numbers.whole(result.findings().count(defect))));
      result
          .findings()
          .examples(defect)
          .forEach(example -> examples.add(List.of(TextReport.line(example))));
    }
    page.table("defect|count", counts);
    if (!examples.isEmpty()) {
      page.table("first examples", examples);
    }
  }

  private void rooms() {
    page.section("rooms", "Rooms").charts(charts.rooms());
    List<RoomFigures> rooms = result.record().rooms();
    page.table(
        "room|users|sent|accepted|delivered|msg/s|mean echo ms|p50|p99",
        rooms.stream().limit(MAX_ROWS).map(HtmlReport::room).toList());
    if (rooms.size() > MAX_ROWS) {
      page.paragraph("The first " + MAX_ROWS + " rooms; all of them are in rooms.csv.");
    }
    Tally tally = result.record().tally();
    page.table(
        "type|sent|delivered",
        List.of(
            type("TEXT", tally.of(Count.TEXTS_WRITTEN), tally.of(Count.TEXT_DELIVERIES)),
            type("JOIN", tally.of(Count.JOINS_WRITTEN), tally.of(Count.JOIN_DELIVERIES)),
            type("LEAVE", tally.of(Count.LEAVES_WRITTEN), tally.of(Count.LEAVE_DELIVERIES))));
  }

  private static List<String> type(String name, long sent, long delivered) {
    return List.of(name, Numbers.whole(sent), Numbers.whole(delivered));
  }

  private static List<String> room(RoomFigures room) {
    return List.of(
        Integer.toString(room.room()),
        Integer.toString(room.users()),
        Numbers.whole(room.sent()),
        Numbers.whole(room.accepted()),
        Numbers.whole(room.delivered()),
        String.format(Locale.ROOT, "%,.1f", room.throughput()),
        String.format(Locale.ROOT, "%,.1f", room.meanEchoMillis()),
        String.format(Locale.ROOT, "%,.1f", room.medianEchoMillis()),
        String.format(Locale.ROOT, "%,.1f", room.p99EchoMillis()));
  }

  private List<List<String>> servers() {
    List<List<String>> rows = new ArrayList<>();
    List<ServerFigures> servers = ServerFigures.of(result);
    for (int i = 0; i < servers.size(); i++) {
      ServerFigures server = servers.get(i);
      rows.add(
          List.of(
              server.name(),
              Numbers.whole(server.connections()),
              Numbers.whole(server.deliveries()),
              String.format(Locale.ROOT, "%,.1f", server.meanMillis()),
              i < result.servers().size() ? result.servers().get(i).description() : ""));
    }
    return rows;
  }

  private void broker() {
    BrokerFigures broker = result.observations().broker();
    if (broker == null) {
      return;
    }
    page.section("broker", "Broker: " + broker.name()).charts(charts.broker());
    page.plain(TextReport.observed(result));
  }

  private void scraped() {
    if (result.observations().scrapes().isEmpty()) {
      return;
    }
    page.section("scraped", "Metrics of servers and consumer").charts(charts.scraped());
    for (Scrape scrape : result.observations().scrapes()) {
      Samples samples = scrape.samples();
      page.paragraph(
          scrape.source() + ": " + samples.gaps() + " of " + samples.size() + " failed scrapes");
    }
    page.table(
        "metric|source|mean|max|last|per second",
        ScrapedTable.rows(result).stream().limit(MAX_ROWS).toList());
  }

  private List<List<String>> little() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(LittlesLaw.ofRun(result).cells());
    LittlesLaw.ofParts(result, intervals.rows()).forEach(part -> rows.add(part.cells()));
    return rows;
  }

  /** Adds a row for each setting and a column for each server. */
  private void settings() {
    Map<String, Map<String, String>> servers = result.observations().serverSettings();
    if (servers.isEmpty()) {
      return;
    }
    List<String> head = new ArrayList<>(List.of("setting"));
    head.addAll(servers.keySet());
    Set<String> names = new TreeSet<>();
    servers.values().forEach(own -> names.addAll(own.keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      List<String> row = new ArrayList<>(List.of(name));
      servers.values().forEach(own -> row.add(own.getOrDefault(name, "")));
      rows.add(row);
    }
    page.section("settings", "Settings of the servers").table(head, rows);
  }

  private static String command() {
    String launcher = Invocation.launcher();
    return launcher == null ? "java -jar chatflow-client.jar" : launcher + " load";
  }

  private void setUp() {
    settings();
    page.section("set-up", "Set-up");
    List<String> lines = new ArrayList<>();
    lines.add("started " + result.record().started());
    lines.add("client  " + result.machine().line());
    for (ServerHealth server : result.servers()) {
      lines.add("server  " + server.page() + "  " + server.description());
    }
    result.tag().notes().forEach((key, value) -> lines.add("note    " + key + " = " + value));
    lines.add("seed    " + result.plan().seed());
    lines.add("repeat  " + command() + " " + String.join(" ", result.tag().arguments()));
    page.plain(String.join("\n", lines));
    page.plain(TextReport.of(result));
  }
}
