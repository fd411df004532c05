package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakePages;
import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the observation of metrics pages and the standalone consumer. */
final class ObservingIT {
  private static final String STATS =
      """
      {"activeUsers": 12, "busiestRoom": {"roomId": "7", "messages": 90},
       "mostActiveUser": {"userId": "3", "messages": 41},
       "messagesPerMinute": [{"minute": "18:46", "messages": 5}, {"minute": "18:47", "messages": 6}],
       "topUsers": [{"userId": "3", "messages": 41}],
       "topRooms": [{"roomId": "7", "messages": 90}],
       "topUsersByRooms": [{"userId": "8", "rooms": 4}]}
      """;

  @TempDir Path directory;

  private final Terminal terminal = new Terminal();
  private final List<String> arguments = new ArrayList<>(List.of("-q", "-r", "1", "-u", "3"));

  @Test
  void scrapedMetricsAreJudgedAndFailedScrapesReported() throws IOException {
    try (FakeServer server = FakeServer.start();
        FakePages pages = new FakePages()) {
      pages.put("/metrics", "chat_lag_seconds 0.25\n");
      Thread.ofVirtual()
          .start(() -> {
            Awaitility.await().until(() -> pages.requests() > 3);
            pages.remove("/metrics");
          });
      add("--scrape", pages.url("/metrics"), "-w", "1", "-d", "1s", "--every", "50ms");
      add("--slo", "chat_lag_seconds.max<0.2", "--out", directory.resolve("one").toString());
      assertThat(run(server)).isEqualTo(3);
    }
    assertThat(terminal.out())
        .contains("chat_lag_seconds.max < 0.2 MISSED (0.25)", "failed scrapes", "HTTP 404");
    assertThat(Files.readString(directory.resolve("one/scrape-1.csv")))
        .startsWith("seconds,chat_lag_seconds\n")
        .containsPattern("(?m)^[0-9.]+,0.25$")
        .containsPattern("(?m)^[0-9.]+,$");
    assertThat(Files.readString(directory.resolve("one/client.csv")))
        .startsWith("seconds,cpuPercent,heapMegabytes,gcMillis,hiccupMillis\n");
  }

  @Test
  void metricThatWasNeverObservedMissesItsObjective() {
    try (FakeServer server = FakeServer.start();
        FakePages pages = new FakePages()) {
      add("-m", "5", "--scrape", pages.url("/metrics"), "--slo", "chat_lag_seconds<1");
      assertThat(run(server)).isEqualTo(3);
      assertThat(terminal.out()).contains("MISSED (never observed)");
    }
  }

  @Test
  void consumerStatisticsArePrintedInTheFormatOfChatflowGo() {
    try (FakeServer server = FakeServer.start();
        FakePages pages = new FakePages().put("/api/stats", STATS)) {
      add("-m", "5", "--consumer", pages.url(""));
      assertThat(run(server)).as(terminal.err()).isZero();
    }
    assertThat(terminal.out())
        .contains(
            """
            ========== Consumer Metrics ==========
            --- Core ---
            Active users (last 1h): 12
            Busiest room: 7: 90 messages
            Most active user: 3: 41 messages
            --- Messages/min (last 15 buckets) ---
              18:46: 5 messages
              18:47: 6 messages
            --- Top 5 users by message count ---
              3: 41 messages
            --- Top 5 rooms by message count ---
              7: 90 messages
            --- Top 5 users by room count ---
              8: 4 rooms
            """);
  }

  @Test
  void unreachableConsumerDoesNotEndTheRun() {
    try (FakeServer server = FakeServer.start();
        FakePages pages = new FakePages()) {
      add("-m", "5", "--consumer", pages.url(""));
      assertThat(run(server)).isZero();
      assertThat(terminal.out()).contains("PASS", "not observed   consumer", "HTTP 404");
    }
  }

  @Test
  void objectivesForUnobservedFiguresAreRejected() {
    assertThat(terminal.run("--dry-run", "--slo", "queue.peak<5")).isEqualTo(2);
    assertThat(terminal.err()).contains("need --broker");
    assertThat(terminal.run("--dry-run", "--scrape", "ftp://x")).isEqualTo(2);
    assertThat(terminal.run("--dry-run", "--queues", "(")).isEqualTo(2);
  }

  @Test
  void unreachableBrokerIsReportedBeforeTheRun() {
    try (FakeServer server = FakeServer.start();
        FakePages pages = new FakePages()) {
      add("-m", "5", "--broker", pages.url("").replace("://", "://me:secret@"));
      assertThat(run(server)).isEqualTo(2);
      assertThat(terminal.err()).contains("cannot be queried").doesNotContain("secret");
      assertThat(server.deliveries()).isZero();
    }
  }

  private void add(String... more) {
    arguments.addAll(List.of(more));
  }

  private int run(FakeServer server) {
    arguments.add(server.url());
    return terminal.run(arguments.toArray(String[]::new));
  }
}
