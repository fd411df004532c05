package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.Golden;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.result.Comparison;
import dev.chatflow.client.result.StoredRun;
import dev.chatflow.client.result.SweepTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of a run, a sweep and a comparison. */
final class FilesTest {
  @TempDir Path directory;

  private List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void runWritesOnlyItsFiles() throws IOException {
    Path run = directory.resolve("run");
    ResultFiles.write(run, StoredRuns.observed(), "");
    assertThat(files(directory)).containsExactly("run");
    assertThat(files(run))
        .containsExactly(
            "broker-rates.csv",
            "broker.csv",
            "charts",
            "client.csv",
            "delivery.hgrm",
            "echo.hgrm",
            "intervals.csv",
            "latency.hlog",
            "record.json",
            "report.html",
            "rooms.csv",
            "run.args",
            "run.json",
            "scrape-1.csv",
            "senders.csv",
            "servers.csv",
            "summary.chatflow-go.txt",
            "summary.json",
            "summary.skier.txt",
            "summary.txt",
            "throughput_10s.csv");
    assertThat(files(run.resolve("charts"))).contains("latency.svg", "broker-depth.svg");
    assertThat(Files.readString(run.resolve("charts/latency.svg")))
        .contains("prefers-color-scheme:dark");
  }

  @Test
  void tablesOfARunAreUnchanged() throws IOException {
    ResultFiles.write(directory, StoredRuns.read("open"), "");
    StringBuilder all = new StringBuilder();
    for (String name : List.of("rooms.csv", "senders.csv", "servers.csv", "intervals.csv")) {
      all.append("== ").append(name).append('\n');
      all.append(Files.readString(directory.resolve(name)));
    }
    Golden.matches("tables.txt", all.toString());
  }

  @Test
  void directoryHoldsARunAfterOneWasWritten() throws IOException {
    assertThat(ResultFiles.holdsRun(directory)).isFalse();
    ResultFiles.write(directory, StoredRuns.read("closed"), "");
    assertThat(ResultFiles.holdsRun(directory)).isTrue();
  }

  @Test
  void defaultDirectoryIsNamedByTimeAndLabel() {
    assertThat(ResultFiles.defaultDirectory(Instant.parse("2026-11-22T19:05:09Z"), "two words/x"))
        .isEqualTo(Path.of("results", "20261122-190509-two-words-x"));
  }

  @Test
  void logHasARowAndASectionForEachRun() throws IOException {
    RunLog.append(directory, StoredRuns.observed().result());
    RunLog.append(directory, StoredRuns.read("closed").result());
    Golden.matches("index.csv", Files.readString(directory.resolve("index.csv")));
    String tuning = Files.readString(directory.resolve("TUNING.md"));
    assertThat(tuning)
        .contains(
            "## Run 1 - ", "## Run 2 - ", "| command | `--rate 400` |", "| notes | why=kept |")
        .contains("| delivery p99 | 29.2 ms |");
  }

  @Test
  void noteWithCommasAndQuotesIsOneCell() throws IOException {
    Map<String, String> notes = Map.of("why", "a, b and \"c\"");
    RunLog.append(
        directory,
        Changed.observed().tag(notes, List.of(), List.of(), Duration.ZERO).stored().result());
    assertThat(Files.readAllLines(directory.resolve("index.csv")).getLast())
        .endsWith(",\"why=a, b and \"\"c\"\"\"");
  }

  @Test
  void logOfAnotherVersionIsKeptNextToTheNewOne() throws IOException {
    Path index = directory.resolve("index.csv");
    for (String old : List.of("started,label\n1,a\n", "other,columns\n2,b\n")) {
      Files.writeString(index, old);
      RunLog.append(directory, StoredRuns.read("closed").result());
      assertThat(Files.readAllLines(index))
          .hasSize(2)
          .first()
          .asString()
          .startsWith("started,label,exitCode");
    }
    assertThat(Files.readString(directory.resolve("index-before-1.csv"))).contains("1,a");
    assertThat(Files.readString(directory.resolve("index-before-2.csv"))).contains("2,b");
  }

  @Test
  void sweepWritesATableAndAPageWithCharts() throws IOException {
    SweepTable table = new SweepTable(List.of(Map.of("rooms", "1"), Map.of("rooms", "2")));
    table.add(Map.of("rooms", "1"), StoredRuns.read("open"));
    table.add(Map.of("rooms", "2"), StoredRuns.read("closed"));
    SeveralReport.sweep(directory, table, "two");
    assertThat(files(directory)).containsExactly("charts", "report.html", "sweep.csv", "sweep.txt");
    assertThat(ResultFiles.holdsRun(directory)).isTrue();
    assertThat(Files.readString(directory.resolve("report.html")))
        .contains("ChatFlow sweep: two", "rooms=2", "chart-compare-spectrum");
  }

  @Test
  void comparisonWritesOnePage() throws IOException {
    Map<String, StoredRun> runs = new LinkedHashMap<>();
    runs.put("first", StoredRuns.read("open"));
    runs.put("second", StoredRuns.read("closed"));
    Comparison comparison = Comparison.of(summary("open"), summary("closed"));
    Path page = SeveralReport.compare(directory, runs, Map.of("first against second", comparison));
    assertThat(files(directory)).containsExactly("compare.html");
    assertThat(Files.readString(page))
        .contains(
            "first against second", "differs: model: open -&gt; closed", "chart-compare-latency");
  }

  private static JsonObject summary(String name) throws IOException {
    return JsonParser.parseString(
            Files.readString(StoredRuns.directory(name).resolve("summary.json")))
        .getAsJsonObject();
  }
}
