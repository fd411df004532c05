package dev.chatflow.client.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests exported rows of messages and copies, and the tables in other programs' formats. */
final class ExportTest {
  @TempDir Path directory;

  private final RunResult result = StoredRuns.read("closed").result();
  private final List<String> out = new ArrayList<>();

  @Test
  void copiesAreWrittenAsRowsAndExportedToBothTables() throws IOException {
    try (ScaleChatDeliveries trace =
        new ScaleChatDeliveries(directory.resolve("deliveries.csv.gz"), "ab12")) {
      trace.sent(3, 7, 1_000_000);
      trace.received(3, 7, 3, 3_000_000);
      trace.received(3, 7, 4, 4_500_000);
      assertThat(trace.keepsMessages()).isFalse();
    }
    List<String> rows = unpacked("deliveries.csv.gz");
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0)).matches("ab12-3-7,3,3,Sent,[0-9]{16}");
    assertThat(rows.get(2)).matches("ab12-3-7,3,4,Received,[0-9]{16}");

    Path latency = Export.LATENCY.write(directory, result);
    assertThat(latency.getFileName()).hasToString("latency_2-3.csv");
    assertThat(Files.readAllLines(latency))
        .hasSize(3)
        .startsWith("id,sender,receiver,sent_at,received_at,latency");
    assertThat(Files.readAllLines(latency).get(2)).startsWith("ab12-3-7,3,4,").endsWith(",3500");

    Path counts = Export.SENT_VS_RECEIVED.write(directory, result);
    assertThat(counts.getFileName()).hasToString("sent-vs-received_2-3.csv");
    assertThat(Files.readAllLines(counts)).hasSize(2).first().isEqualTo("sent_at,received,sent");
    assertThat(Files.readAllLines(counts).get(1)).endsWith(",2,3");
  }

  /** Writes more rows than fit into a block, from several threads. */
  @Test
  void everyRowIsWritten() throws Exception {
    int each = 40_000;
    try (ScaleChatDeliveries trace =
        new ScaleChatDeliveries(directory.resolve("deliveries.csv.gz"), "ab12")) {
      List<Thread> threads = new ArrayList<>();
      for (int sender = 0; sender < 3; sender++) {
        int own = sender;
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int seq = 0; seq < each; seq++) {
                    trace.sent(own, seq, seq);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(unpacked("deliveries.csv.gz")).hasSize(3 * each).doesNotHaveDuplicates();
  }

  @Test
  void messagesAreWrittenAsRowsAndExportedAsRequests() throws IOException {
    ChatFlowGoMessages.write(
        directory,
        result,
        sink -> {
          sink.take(new MessageFigures(1, 0, 0, "JOIN", 0, 2_000_000));
          sink.take(new MessageFigures(1, 0, 1, "TEXT", 5_000_000, 1_250_000));
          sink.take(new MessageFigures(2, 4, 1, "TEXT", 6_000_000, -1));
        });
    List<String> rows = unpacked("messages.csv.gz");
    assertThat(rows.getFirst()).isEqualTo("Timestamp,MessageType,Latency,StatusCode,RoomId");
    assertThat(rows.get(2)).endsWith(",TEXT,1.25,200,1");
    assertThat(rows.get(3)).endsWith(",TEXT,0,504,2");
    Path requests = Export.SKIER.write(directory, result);
    assertThat(requests.getFileName()).hasToString("output.csv");
    long start = result.record().started().toEpochMilli();
    assertThat(Files.readAllLines(requests))
        .containsExactly(
            "start_time,latency,request_type,response_code",
            start + 5 + ",1,POST,201",
            start + 6 + ",0,POST,504");
  }

  @Test
  void exportWithoutRowsNamesTheMissingOption() {
    assertThatThrownBy(() -> Export.SKIER.write(directory, result))
        .isInstanceOf(CommandFailure.class)
        .hasMessageEndingWith("run again with --csv messages");
    assertThatThrownBy(() -> Export.LATENCY.write(directory, result))
        .hasMessageEndingWith("run again with --csv deliveries");
  }

  @Test
  void copiesAreCountedInTheSecondInWhichTheirMessageWasSent() {
    ScaleChatTables.sentVersusReceived(
        rows(
            "a,1,1,Sent,1000000",
            "a,1,2,Received,1999999",
            "a,1,3,Received,2000001",
            "b,2,2,Sent,2500000"),
        3,
        out::add);
    assertThat(out).containsExactly("sent_at,received,sent\n", "1,2,3\n", "2,0,3\n");
  }

  @Test
  void copyOfAnUnknownMessageHasLatencyZero() {
    ScaleChatTables.latency(rows("x,1,2,Received,500"), out::add);
    assertThat(out.getLast()).isEqualTo("x,1,2,500,500,0\n");
  }

  private static Stream<String[]> rows(String... lines) {
    return Stream.of(lines).map(line -> line.split(",", -1));
  }

  private List<String> unpacked(String name) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(directory.resolve(name)))) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII)
          .lines()
          .toList();
    }
  }
}
