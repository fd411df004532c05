package dev.chatflow.client.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.Golden;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.record.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the texts and files that scripts for other programs parse. They must not change. */
final class TextsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"open", "closed", "skier"})
  void chatFlowGoReportIsUnchanged(String name) {
    Golden.matches(name + ".chatflow-go.txt", ChatFlowGoReport.of(StoredRuns.read(name).result()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "closed", "skier"})
  void skierReportIsUnchanged(String name) {
    Golden.matches(name + ".skier.txt", Skier.summary(StoredRuns.read(name).result()));
  }

  @Test
  void skierCountsUnansweredTextsAsFailures() {
    var run = StoredRuns.read("skier");
    run.result().record().tally().add(Count.TEXTS_WRITTEN, 4);
    run.result().record().tally().add(Count.TEXTS_UNSENT, 3);
    assertThat(Skier.summary(run.result())).contains("Total failures: 7\n");
  }

  @Test
  void everyRunWritesThreeFiles() throws IOException {
    Export.summaries(directory, StoredRuns.read("closed").result());
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "summary.chatflow-go.txt", "summary.skier.txt", "throughput_10s.csv");
    }
    assertThat(Files.readAllLines(directory.resolve("throughput_10s.csv")))
        .hasSize(2)
        .first()
        .isEqualTo("bucketStartMillis,count,throughputMsgPerSec");
  }

  @Test
  void throughputIsInBucketsOfTenSeconds() {
    var result = StoredRuns.read("skier").result();
    List<String> rows = ChatFlowCs6650.throughput(result).lines().toList();
    long start = result.record().started().toEpochMilli();
    long sum = 0;
    for (int i = 1; i < rows.size(); i++) {
      String[] cells = rows.get(i).split(",", -1);
      long count = Long.parseLong(cells[1]);
      assertThat(cells[0]).isEqualTo(Long.toString(start + (i - 1) * 10_000L));
      assertThat(Double.parseDouble(cells[2])).isEqualTo(count / 10.0);
      sum += count;
    }
    assertThat(sum).isEqualTo(160_001);
  }

  @Test
  void incompleteConsumerStatisticsArePrinted() {
    JsonObject stats =
        JsonParser.parseString(
                """
                {"activeUsers": 3, "busiestRoom": {"roomId": "7", "messages": 90},
                 "mostActiveUser": {"userId": "3", "messages": 41, "rooms": 2},
                 "messagesPerMinute": [{"minute": "19:01", "messages": 5}],
                 "topUsers": ["a", "b", "c", "d", "e", "f"],
                 "topRooms": [{"messages": 4}, {}, 5]}
                """)
            .getAsJsonObject();
    Golden.matches("consumer.txt", ChatFlowGoConsumer.of(stats));
  }

  @Test
  void onlyTheLastMinutesOfTheConsumerArePrinted() {
    JsonObject stats = new JsonObject();
    StringBuilder minutes = new StringBuilder("[");
    for (int minute = 0; minute < 20; minute++) {
      minutes.append(minute == 0 ? "" : ",").append(minute);
    }
    stats.add("messagesPerMinute", JsonParser.parseString(minutes + "]"));
    assertThat(ChatFlowGoConsumer.of(stats)).contains("  5\n").doesNotContain("  4\n");
  }

  @Test
  void skierPhasesRoundDownLikeSkier() {
    List<String> printed = new ArrayList<>();
    var lines = Skier.lines(printed::add);
    Skier.waves(128, 20_000, 10)
        .forEach(wave -> printed.add(wave.name() + " " + wave.users() + " x " + wave.textsEach()));
    lines.begun(Skier.waves(128, 20_000, 10).getFirst());
    lines.fifthFinished(Skier.waves(128, 20_000, 10).getFirst());
    assertThat(printed)
        .containsExactly(
            "ONE 32 x 1250",
            "TWO 128 x 936",
            "THREE 12 x 1",
            "------ PHASE ONE INITIALIZED ------",
            "------ PHASE ONE: 20% OF THREADS COMPLETE ------");
    assertThat(Skier.waves(128, 20_000, 1).stream().map(wave -> wave.name()))
        .as("phases without a request are left out")
        .isEmpty();
  }
}
