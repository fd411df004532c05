package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakePages;
import dev.chatflow.client.fake.FakeServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests stored runs: their rows, and the reports and exports generated from them. */
final class ReportIT {
  private static final int TEXTS = 2 * 3 * 20;

  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void reportsAreRegeneratedFromTheStoredResult() throws IOException {
    Path run = directory.resolve("one");
    try (FakePages pages = new FakePages().put("/metrics", "queue_depth 5\n")) {
      run(run, "--every", "100ms", "--scrape", pages.url("/metrics"), "--note", "who=me");
    }
    List<String> derived =
        List.of(
            "summary.txt",
            "summary.json",
            "summary.chatflow-go.txt",
            "report.html",
            "run.json",
            "rooms.csv",
            "servers.csv",
            "throughput_10s.csv",
            "delivery.hgrm",
            "charts/heat-map.svg",
            "charts/latency.svg");
    assertThat(Files.readString(run.resolve("charts/heat-map.svg")))
        .as("the axis shows the time since the start of the run")
        .doesNotContain("M s");
    List<String> before = new ArrayList<>();
    for (String name : derived) {
      before.add(Files.readString(run.resolve(name)));
      Files.delete(run.resolve(name));
    }
    assertThat(terminal.run("report", run.toString())).as(terminal.err()).isZero();
    for (int i = 0; i < before.size(); i++) {
      assertThat(Files.readString(run.resolve(derived.get(i))))
          .as(derived.get(i))
          .isEqualTo(before.get(i));
    }
    assertThat(terminal.run("report", directory.resolve("none").toString())).isEqualTo(2);
  }

  @Test
  void notesAndOptionsAreKept() throws IOException {
    run(directory.resolve("one"), "--note", "who=me", "--note", "why=a,b");
    assertThat(Files.readString(directory.resolve("one/run.json")))
        .contains("\"who\": \"me\"", "--rooms=2 (cli)", "--retries=5 (default)");
  }

  @Test
  void externalEventsAreMarkedInTheCharts() throws IOException {
    Path run = directory.resolve("one");
    run(run);
    Files.writeString(run.resolve("events"), Instant.now() + " broker <restarted>\nnonsense\n");
    assertThat(terminal.run("report", run.toString())).isZero();
    assertThat(Files.readString(run.resolve("charts/latency.svg")))
        .contains("broker &lt;restarted&gt;");
  }

  @Test
  void rowsPerMessageHaveTheHeaderOfChatflowGo() throws IOException {
    Path run = directory.resolve("one");
    run(run, "--csv", "messages");
    List<String> rows = unpacked(run.resolve("messages.csv.gz"));
    assertThat(rows.getFirst()).isEqualTo("Timestamp,MessageType,Latency,StatusCode,RoomId");
    assertThat(rows).hasSize(1 + TEXTS + 2 * 3 * 2);
    assertThat(rows.stream().filter(row -> row.matches("[^,]+Z,TEXT,[0-9.]+,200,[12]")))
        .hasSize(TEXTS);
    assertThat(terminal.run("report", run.toString(), "--export", "skier")).isZero();
    List<String> requests = Files.readAllLines(run.resolve("output.csv"));
    assertThat(requests.getFirst()).isEqualTo("start_time,latency,request_type,response_code");
    assertThat(requests).hasSize(1 + TEXTS);
    assertThat(requests.get(1)).matches("[0-9]{13},[0-9]+,POST,201");
    assertThat(terminal.run("report", run.toString(), "--export", "latency")).isEqualTo(2);
    assertThat(terminal.err()).contains("--csv deliveries");
  }

  @Test
  void rowsPerCopyHaveTheColumnsOfScaleChat() throws IOException {
    Path run = directory.resolve("one");
    run(run, "--csv", "deliveries");
    List<String> rows = unpacked(run.resolve("deliveries.csv.gz"));
    assertThat(rows.stream().filter(row -> row.matches("[^,]+,[0-5],[0-5],Sent,[0-9]{16}")))
        .hasSize(TEXTS);
    assertThat(rows.stream().filter(row -> row.matches("[^,]+,[0-5],[0-5],Received,[0-9]{16}")))
        .hasSize(TEXTS * 3);
    assertThat(terminal.run("report", run.toString(), "--export", "latency,sent-vs-received"))
        .isZero();
    List<String> latencies = Files.readAllLines(run.resolve("latency_2-3.csv"));
    assertThat(latencies).hasSize(1 + TEXTS * 3);
    assertThat(latencies.getFirst()).isEqualTo("id,sender,receiver,sent_at,received_at,latency");
    long received =
        Files.readAllLines(run.resolve("sent-vs-received_2-3.csv")).stream()
            .skip(1)
            .mapToLong(row -> Long.parseLong(row.split(",", -1)[1]))
            .sum();
    assertThat(received).isEqualTo(TEXTS * 3);
  }

  @Test
  void deliveriesWithinAndAcrossServersAreSeparated() {
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "-q",
              "--format",
              "json",
              "-r",
              "1",
              "-u",
              "4",
              "-m",
              "10",
              "-w",
              "1",
              server.url(),
              server.url() + "/{room}");
      assertThat(code).isZero();
    }
    assertThat(count("delivery")).isEqualTo(4 * 10 * 4);
    assertThat(count("delivery_same")).isEqualTo(4 * 10 * 2);
    assertThat(count("delivery_cross")).isEqualTo(4 * 10 * 2);
  }

  @Test
  void sweepWritesATableAPageAndEveryRun() throws IOException {
    Path out = directory.resolve("sweep");
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "sweep",
              "--vary",
              "in-flight=1,4",
              "--repeat",
              "2",
              "-q",
              "-r",
              "1",
              "-u",
              "3",
              "-m",
              "20",
              "--out",
              out.toString(),
              server.url());
      assertThat(code).as(terminal.err()).isZero();
    }
    assertThat(Files.readString(out.resolve("sweep.csv")))
        .startsWith("cell,runs,windowSeconds,")
        .contains(",acceptedPerSecondFactor,", ",deliveryP99Ms,")
        .containsPattern("(?m)^in-flight=1,2,.*,1,.*,yes$")
        .containsPattern("(?m)^in-flight=4,2,.*,yes$");
    assertThat(Files.readString(out.resolve("report.html")))
        .contains("chart-compare-acceptedPerSecond", "chart-compare-percentiles-2s", "in-flight=4");
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
          .contains("in-flight=1", "in-flight=1.2", "in-flight=4", "in-flight=4.2", "index.csv");
    }
    Path page = directory.resolve("both");
    assertThat(
            terminal.run(
                "compare",
                out.resolve("in-flight=1").toString(),
                out.resolve("in-flight=4").toString(),
                "-o",
                page.toString()))
        .isZero();
    assertThat(Files.readString(page.resolve("compare.html")))
        .contains("deliveries", "chart-compare-over-time");
  }

  @Test
  void pageHasARowOfLittlesLawForEachStage() throws IOException {
    Path run = directory.resolve("stages");
    try (FakeServer server = FakeServer.start()) {
      String stages = "200:600ms,600:600ms";
      int code =
          terminal.run(
              "-q",
              "-r",
              "2",
              "-u",
              "3",
              "--stages",
              stages,
              "--every",
              "100ms",
              "--out",
              run.toString(),
              server.url());
      assertThat(code)
          .as(terminal.out())
          .isIn(0, 6); // 6: the machine was busy, which does not matter here
    }
    String page = Files.readString(run.resolve("report.html"));
    assertThat(page).contains("main, stage 1 (200/s)", "main, stage 2 (600/s)");
  }

  @Test
  void apdexIsPrintedOnRequest() throws IOException {
    run(directory.resolve("one"), "--apdex", "10s");
    assertThat(terminal.out()).contains("APDEX                                   1.000");
  }

  @Test
  void roomsAndConnectionsAreListedOnRequest() throws IOException {
    run(directory.resolve("one"), "-v");
    assertThat(terminal.out())
        .containsPattern("Room 2 \\| users: 3 \\| throughput: [0-9.]+ msg/s \\| mean latency: ")
        .contains("DONE: User 3 in room 2: received 60/60");
    Terminal json = new Terminal();
    try (FakeServer server = FakeServer.start()) {
      json.run("-q", "-v", "--format", "json", "-r", "1", "-u", "2", "-m", "3", server.url());
    }
    assertThat(json.json().get("schemaVersion").getAsInt()).isEqualTo(1);
    assertThat(json.err()).contains("DONE: User 2 in room 1: received 6/6");
  }

  @Test
  void helpGroupsOptionsUnderHeadingsAndEndsWithExamples() {
    assertThat(terminal.run("run", "--help")).isZero();
    assertThat(terminal.out())
        .startsWith("Usage: java -jar chatflow-client.jar run [OPTIONS] [URL...]")
        .containsSubsequence(
            "Servers:", "--cacert", "Workload:", "--preset", "Load model:", "--rate")
        .containsSubsequence("Connections:", "--pool-size", "Verdict:", "--slo", "Output:", "-v")
        .contains("Examples:");
  }

  @Test
  void completionContainsTheOptions() {
    assertThat(terminal.run("generate-completion")).isZero();
    assertThat(terminal.out()).contains("complete", "--broker", "find-max", "report");
  }

  @Test
  void wrongInputIsRejectedBeforeTheRun() {
    assertThat(terminal.run("--dry-run", "--csv", "rows")).isEqualTo(2);
    assertThat(terminal.run("report", directory.toString(), "--export", "all")).isEqualTo(2);
    assertThat(Origins.withoutSecrets(List.of("--token", "x", "--token=y", "amqp://u:pw@h")))
        .containsExactly("--token", "***", "--token=***", "amqp://u:***@h");
  }

  private long count(String series) {
    return terminal
        .json()
        .getAsJsonObject("latencyMicros")
        .getAsJsonObject(series)
        .getAsJsonObject("service")
        .get("count")
        .getAsLong();
  }

  private void run(Path out, String... more) throws IOException {
    try (FakeServer server = FakeServer.start()) {
      List<String> arguments =
          new ArrayList<>(List.of("-q", "-r", "2", "-u", "3", "-m", "20", "-w", "1"));
      arguments.addAll(List.of(more));
      arguments.addAll(List.of("--out", out.toString(), server.url()));
      int code = terminal.run(arguments.toArray(String[]::new));
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
    }
  }

  private static List<String> unpacked(Path file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.US_ASCII))) {
      return reader.lines().toList();
    }
  }
}
