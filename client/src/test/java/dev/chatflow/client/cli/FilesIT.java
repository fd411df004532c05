package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of a run, and its output in the formats of other programs. */
final class FilesIT {
  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void everyFileIsWrittenAndReadable() throws IOException {
    Path run = directory.resolve("one");
    assertThat(run("--out", run.toString(), "--every", "50ms")).as(terminal.err()).isZero();
    assertThat(run)
        .isDirectoryContaining("glob:**/run.json")
        .isDirectoryContaining("glob:**/summary.txt")
        .isDirectoryContaining("glob:**/summary.chatflow-go.txt")
        .isDirectoryContaining("glob:**/summary.skier.txt")
        .isDirectoryContaining("glob:**/throughput_10s.csv");
    assertThat(JsonParser.parseString(Files.readString(run.resolve("summary.json"))).isJsonObject())
        .isTrue();
    assertThat(Files.readAllLines(run.resolve("rooms.csv"))).hasSize(1 + 2);
    assertThat(Files.readAllLines(run.resolve("senders.csv")))
        .hasSize(1 + 2 * 3)
        .startsWith(
            "room,userId,username,joins,texts,leaves,resent,refused", "1,1,user0,1,100,1,0,0")
        .endsWith("2,3,user5,1,100,1,0,0");
    try (var files = Files.list(directory)) {
      assertThat(files).as("only the given directory").containsExactly(run);
    }
    assertThat(deliveriesInLog(run.resolve("latency.hlog"))).isEqualTo(2 * 3 * 100 * 3);
  }

  @Test
  void runsAreComparedByTheirFiles() {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    assertThat(run("--out", one.toString())).isZero();
    assertThat(run("--out", two.toString(), "--messages", "50")).isZero();
    assertThat(terminal.run("compare", one.toString(), two.toString())).as(terminal.err()).isZero();
    assertThat(terminal.out())
        .contains("differs: texts: 600 -> 300", "delivery p99 (service)", "/s")
        .doesNotContain("compare.html", "rates.", "expected");
    assertThat(terminal.run("compare", one.toString(), directory.toString())).isEqualTo(2);
  }

  @Test
  void reportPageNeedsNoNetworkAndNoScripts() throws IOException {
    Path run = directory.resolve("two");
    assertThat(run("--out", run.toString())).isZero();
    String page = Files.readString(run.resolve("report.html"));
    assertThat(page.replace("href=\"data:,\"", ""))
        .contains("PASS", "<svg", "<table")
        .doesNotContain("url(", "src=", "href=");
    String unscripted = page.replaceAll("(?s)<script.*?</script>", "");
    assertThat(unscripted).contains("chart-latency", "id=\"rooms\"", "id=\"proof\"");
    assertThat(page.length()).isLessThan(1 << 20);
  }

  @Test
  void chatflowGoFormatHasItsLabels() {
    assertThat(run("--format", "chatflow-go")).isZero();
    assertThat(terminal.out())
        .containsPattern("(?m)^Total runtime \\(wall time\\):  [0-9.]+s$")
        .containsPattern("(?m)^Successful messages sent:   612$")
        .containsPattern("(?m)^Failed messages:            0$")
        .containsPattern("(?m)^Overall throughput:         [0-9.]+ msg/s$")
        .containsPattern("(?m)^Total connections:          6$")
        .containsPattern("(?m)^Mean Latency:               [0-9]+ms$")
        .containsPattern("(?m)^99th Percentile Latency:    [0-9]+ms$")
        .containsPattern("(?m)^Median Throughput:          [0-9.]+ msg/s$")
        .containsPattern("(?m)^Room 2 \\| users: 3 \\| throughput: ")
        .containsPattern("(?m)^  Message Types: TEXT: 600  JOIN: 6  LEAVE: 6$");
  }

  @Test
  void skierFormatHasItsLabels() {
    assertThat(run("--format", "skier")).isZero();
    assertThat(terminal.out())
        .contains("----- RUN STATISTICS -----", "Total successes: 600", "Total failures: 0")
        .containsPattern("(?m)^Total throughput \\(reqs/sec\\): [0-9.]+$")
        .containsPattern("(?m)^99th percentile response time: [0-9]+$");
  }

  @Test
  void unwritableDirectoryIsReportedBeforeTheRun() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run("-q", "-m", "1", "--out", file.resolve("run").toString(), server.url());
      assertThat(code).isEqualTo(1);
      assertThat(server.deliveries()).isZero();
    }
    assertThat(terminal.err()).contains("--out", "cannot be written", file.toString());
  }

  @Test
  void resultIsWrittenWhenTheDeliveryFileIsNotWritable() throws Exception {
    Path run = Files.createDirectory(directory.resolve("full"));
    Path rows = run.resolve("deliveries.csv.gz");
    assertThat(new ProcessBuilder("mkfifo", rows.toString()).start().waitFor()).isZero();
    // the rows exceed the pipe's buffer, so writing fails once the reader has closed it
    Thread reader = Thread.ofPlatform().daemon().start(() -> readTenBytes(rows));
    assertThat(run("--out", run.toString(), "--csv", "deliveries", "--messages", "5000"))
        .as(terminal.err())
        .isEqualTo(1);
    reader.join();
    assertThat(terminal.err())
        .contains("deliveries.csv.gz is incomplete: cannot write rows: ")
        .doesNotContain("internal error");
    assertThat(terminal.out()).contains("PASS  every one of");
    assertThat(run).isDirectoryContaining("glob:**/summary.json");
  }

  private static void readTenBytes(Path pipe) {
    try (InputStream in = Files.newInputStream(pipe)) {
      in.readNBytes(10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void unwritableDeliveryFileIsReportedBeforeTheRun() throws IOException {
    Path run = Files.createDirectory(directory.resolve("one"));
    Files.createDirectory(run.resolve("deliveries.csv.gz"));
    assertThat(run("--out", run.toString(), "--csv", "deliveries")).isEqualTo(1);
    assertThat(terminal.err())
        .contains("--csv deliveries cannot be written to " + run)
        .doesNotContain("internal error");
    assertThat(terminal.out()).doesNotContain("PASS");
  }

  @Test
  void directoryOfAnotherRunIsNotOverwritten() throws IOException {
    Path run = directory.resolve("one");
    assertThat(run("--out", run.toString())).isZero();
    String before = Files.readString(run.resolve("record.json"));
    assertThat(run("--out", run.toString())).isEqualTo(2);
    assertThat(terminal.err()).contains("already holds a run; choose another directory");
    assertThat(Files.readString(run.resolve("record.json"))).isEqualTo(before);
  }

  @Test
  void jsonIsWrittenWithoutEscapes() throws IOException {
    Path run = directory.resolve("one");
    assertThat(run("--out", run.toString(), "--slo", "delivery.p99<1m")).isZero();
    for (String file : List.of("record.json", "summary.json", "run.json")) {
      assertThat(Files.readString(run.resolve(file))).as(file).doesNotContain("\\u00");
    }
    assertThat(Files.readString(run.resolve("run.json"))).contains("--slo=[delivery.p99<1m] (cli)");
  }

  private int run(String... more) {
    try (FakeServer server = FakeServer.start()) {
      String[] common = {"-q", "-r", "2", "-u", "3", "-w", "10", server.url()};
      terminal.environment.put("CHATFLOW_CLIENT_MESSAGES", "100");
      String[] all = new String[common.length + more.length];
      System.arraycopy(common, 0, all, 0, common.length);
      System.arraycopy(more, 0, all, common.length, more.length);
      return terminal.run(all);
    }
  }

  private static long deliveriesInLog(Path log) throws IOException {
    long count = 0;
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram histogram
            && "delivery-service".equals(histogram.getTag())) {
          count += histogram.getTotalCount();
        }
      }
    }
    return count;
  }
}
