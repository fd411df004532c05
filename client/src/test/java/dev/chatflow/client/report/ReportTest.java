package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.result.LittlesLaw;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.verify.Defect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the page of a run and its charts. */
final class ReportTest {
  private static final Pattern SECTION = Pattern.compile("<h2 id=\"([a-z-]+)\"");
  private static final Pattern NUMBER = Pattern.compile("NaN|Infinity|null");

  private static String page(StoredRun run) {
    return HtmlReport.of(run.result(), run.intervals());
  }

  private static List<String> sections(String page) {
    return SECTION.matcher(page).results().map(found -> found.group(1)).toList();
  }

  @Test
  void pageOfARunHasItsSectionsInOrder() {
    assertThat(sections(page(StoredRuns.read("open"))))
        .containsExactly(
            "throughput",
            "latency",
            "figures",
            "objectives",
            "proof",
            "trust",
            "little",
            "series",
            "rooms",
            "servers",
            "set-up",
            "glossary");
  }

  @Test
  void observedFiguresHaveTheirOwnSections() {
    String page = page(StoredRuns.observed());
    assertThat(sections(page)).contains("broker", "scraped");
    assertThat(page)
        .contains(
            "Broker: RabbitMQ 4.0",
            "chart-broker-depth",
            "chart-broker-rates",
            "chart-scraped-chat_lag_seconds",
            "http://host-1:9090/metrics: 1 of 3 failed scrapes",
            "note    why = kept",
            "repeat  java -jar chatflow-client.jar --rate 400");
  }

  /** A green PASS without the warning would be misleading. */
  @Test
  void warningIsInsideTheVerdictAndSixFiguresFollowIt() {
    Changed run = Changed.run("open");
    long intervals = run.result().record().tally().of(Count.INTERVALS);
    String page = page(run.count(Count.STARVED_INTERVALS, intervals + 3).stored());
    String top = page.substring(page.indexOf("<h1>"), page.indexOf("<h2"));
    assertThat(top)
        .contains("<div class=\"verdict pass warned\"><p>PASS")
        .containsPattern("<p class=\"warning\">WARNING  CPU was saturated[^<]*</p>\n</div>\n<dl")
        .contains("<dt>deliveries</dt><dd>1,464</dd>", "<dt>lost</dt><dd>0</dd>")
        .contains("<dt>deliveries per second</dt><dd>1,307/s</dd>")
        .contains("<dt>delivery p99</dt><dd>29.2 ms</dd>");
    assertThat(top.split("<dt>", -1)).hasSize(1 + 6);
    assertThat(page(StoredRuns.read("open"))).doesNotContain("WARNING");
  }

  @Test
  void uncheckedDeliveriesAreNotReportedAsLost() {
    String page = page(Changed.run("open").level(Judging.Level.OFF).stored());
    assertThat(page).contains("<dt>lost</dt><dd>not checked</dd>");
  }

  @Test
  void chartsComeFirstAndTermsAreExplained() {
    String page = page(StoredRuns.read("open"));
    assertThat(page.indexOf("<svg")).isLessThan(page.indexOf("<table")).isPositive();
    assertThat(page).contains("<dt>divergent</dt>", "<dt>Little's law</dt>");
  }

  @Test
  void drainIsNotCheckedAgainstLittlesLaw() {
    StoredRun run = StoredRuns.read("closed");
    assertThat(LittlesLaw.ofParts(run.result(), run.intervals().rows()))
        .filteredOn(law -> law.part().startsWith("drain"))
        .allSatisfy(law -> assertThat(law.cells().getLast()).isEqualTo("-"));
    assertThat(new LittlesLaw("drain", 1, 1, 1, 1).cells().getLast()).isEqualTo("-");
    assertThat(new LittlesLaw("main", 1, 1, 1_000, 1).cells().getLast()).isEqualTo("+0.0");
  }

  @Test
  void chartsOfRepeatsShowMediansAndTheMiddleRun() {
    StoredRun one = StoredRuns.read("open");
    StoredRun other = StoredRuns.read("closed");
    Map<String, List<StoredRun>> given = Map.of("x", List.of(one, other, one));
    Map<String, List<StoredRun>> reordered = Map.of("x", List.of(other, one, one));
    assertThat(new SeveralRuns(given).all())
        .as("independent of the order of the repeats")
        .isEqualTo(new SeveralRuns(reordered).all());
    assertThat(svg(new SeveralRuns(given), "compare-over-time"))
        .isEqualTo(svg(new SeveralRuns(Map.of("x", List.of(one))), "compare-over-time"));
    assertThat(svg(new SeveralRuns(given), "compare-spectrum"))
        .as("two of three runs are equal, so they are the median")
        .isEqualTo(svg(new SeveralRuns(Map.of("x", List.of(one))), "compare-spectrum"));
  }

  private static String svg(SeveralRuns runs, String name) {
    return runs.all().stream()
        .filter(chart -> chart.name().equals(name))
        .map(Chart::svg)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void defectsAndMissedObjectivesAreOnThePage() {
    String page =
        page(Changed.run("closed").found(Defect.LOST, 2).objectives("delivery.p99<1ms").stored());
    assertThat(page)
        .contains(
            "class=\"verdict fail\"",
            "FAIL  lost 2 of 384",
            "delivery.p99 &lt; 1ms MISSED",
            "<td>NO",
            "first examples",
            "sender 2 seq 7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "closed", "skier"})
  void chartsContainNumbersAndHaveUniqueNames(String name) {
    StoredRun run = StoredRuns.read(name);
    List<Chart> charts = new RunCharts(run.result(), run.intervals()).all();
    assertThat(charts.stream().map(Chart::name)).doesNotHaveDuplicates();
    assertThat(charts)
        .allSatisfy(
            chart -> assertThat(NUMBER.matcher(chart.svg()).find()).as(chart.name()).isFalse());
    assertThat(charts.stream().filter(chart -> !chart.isEmpty()).map(Chart::name))
        .contains("throughput", "client-hiccups", "percentiles-of-means");
  }

  @Test
  void timeChartsOfARunEndAtTheSameTime() {
    StoredRun run = StoredRuns.read("open");
    List<String> lastTicks =
        new RunCharts(run.result(), run.intervals())
            .all().stream()
                .filter(chart -> chart.svg().contains("class=\"chart time\""))
                .filter(chart -> !chart.isEmpty())
                .map(chart ->
                    Pattern.compile(">([0-9.]+ ?m?s)<")
                        .matcher(chart.svg())
                        .results()
                        .map(MatchResult::group)
                        .reduce("", (_, last) -> last))
                .distinct()
                .toList();
    assertThat(lastTicks).hasSize(1);
  }

  @Test
  void manyRoomsHaveNoChartAndATruncatedTable() {
    StoredRun run = StoredRuns.read("closed");
    RoomFigures room = run.result().record().rooms().getFirst();
    List<RoomFigures> many =
        java.util.stream.IntStream.rangeClosed(1, 500)
            .mapToObj(number -> new RoomFigures(number, 3, 5, 5, 15, room.windowNanos(), 5, 1, 2))
            .toList();
    String page = page(Changed.run("closed").rooms(many).stored());
    assertThat(page)
        .contains("The first 400 rooms; all of them are in rooms.csv.")
        .doesNotContain("id=\"chart-rooms\"");
  }

  @Test
  void severalRunsAreCompared() {
    Map<String, List<StoredRun>> runs = new LinkedHashMap<>();
    runs.put("rooms=1", List.of(StoredRuns.read("open"), StoredRuns.read("closed")));
    runs.put("rooms=2", List.of(StoredRuns.read("closed")));
    List<Chart> charts = new SeveralRuns(runs).all();
    assertThat(charts.stream().map(Chart::name))
        .doesNotHaveDuplicates()
        .contains(
            "compare-acceptedPerSecond",
            "compare-deliveriesPerSecond",
            "compare-latency",
            "compare-over-time",
            "compare-spectrum",
            "compare-percentiles",
            "compare-mean",
            "compare-sent-received");
    Chart rates =
        charts.stream()
            .filter(chart -> chart.name().equals("compare-deliveriesPerSecond"))
            .findFirst()
            .orElseThrow();
    assertThat(rates.title()).isEqualTo("deliveries, median and factor");
    assertThat(rates.svg()).contains("(x1.00)", "(x1.68)");
  }

  @Test
  void metricsNamedByAnObjectiveComeFirst() {
    assertThat(ScrapedTable.interesting(StoredRuns.observed().result()))
        .containsExactly("chat_lag_seconds", "chat_queue_depth");
    RunResult judged =
        Changed.run("open")
            .observations(StoredRuns.observed().result().observations())
            .objectives("chat_queue_depth.max<9")
            .result();
    assertThat(ScrapedTable.interesting(judged))
        .containsExactly("chat_queue_depth", "chat_lag_seconds");
    assertThat(ScrapedTable.rows(judged).getLast())
        .containsExactly("chat_queue_depth", "http://host-1:9090/metrics", "4", "5", "5", "2");
  }
}
