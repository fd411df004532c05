package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests texts posted over HTTP, with deliveries checked by WebSocket listeners. */
final class PostingIT {
  private final Terminal terminal = new Terminal();

  @Test
  void everyPostedTextReachesEveryListener() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "3", "-u", "4", "-m", "50")).as(terminal.out()).isZero();
    }
    assertThat(count("accepted")).isEqualTo(3 * 4 * 50 + 2 * 12);
    assertThat(count("textDeliveries")).isEqualTo(3 * 4 * 50 * 4);
  }

  @Test
  void missingDeliveriesOfPostedTextsAreFound() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 97, 9))) {
      assertThat(run(server, "-r", "3", "-u", "4", "-m", "50", "--drain", "1s"))
          .as(terminal.out())
          .isEqualTo(4);
    }
    JsonObject defects = terminal.json().getAsJsonObject("verdict").getAsJsonObject("defects");
    assertThat(defects.get("lost").getAsLong()).isEqualTo(9);
  }

  @Test
  void onlyResponsesAreCountedWithoutListeners() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "3", "-u", "0", "-m", "50")).as(terminal.out()).isZero();
    }
    assertThat(count("accepted")).isEqualTo(150);
    assertThat(count("connectionsOpened")).isZero();
  }

  @Test
  void postsToBusyServersAreRepeatedWithTheSameKey() {
    try (FakeServer server = FakeServer.start()) {
      server.refusePosts(503, 3);
      assertThat(run(server, "-r", "2", "-u", "3", "-m", "20")).as(terminal.out()).isZero();
    }
    assertThat(count("retries")).isEqualTo(3);
  }

  @Test
  void refusedPostsAreCountedAndMissTheObjective() {
    try (FakeServer server = FakeServer.start()) {
      server.refusePosts(422, 2);
      assertThat(run(server, "-r", "2", "-u", "3", "-m", "20")).as(terminal.out()).isEqualTo(3);
    }
    assertThat(count("rejected")).isEqualTo(2);
  }

  @Test
  void skierPresetRunsInThreePhases() {
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "-q",
              "--preset",
              "skier-3phase",
              "-t",
              "40",
              "--numSkiers",
              "400",
              "--format",
              "skier",
              "-r",
              "7",
              "-u",
              "1",
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
    }
    assertThat(terminal.out().lines().filter(line -> line.startsWith("------ PHASE")))
        .containsExactly(
            "------ PHASE ONE INITIALIZED ------",
            "------ PHASE ONE: 20% OF THREADS COMPLETE ------",
            "------ PHASE TWO INITIALIZED ------",
            "------ PHASE TWO: 20% OF THREADS COMPLETE ------",
            "------ PHASE THREE INITIALIZED ------",
            "------ PHASE THREE: 20% OF THREADS COMPLETE ------");
    assertThat(terminal.out()).contains("Total successes: 3204", "Total failures: 0");
  }

  private long count(String name) {
    return terminal.json().getAsJsonObject("counts").get(name).getAsLong();
  }

  private int run(FakeServer server, String... more) {
    List<String> all =
        new ArrayList<>(List.of("-q", "--format", "json", "--transport", "http", server.url()));
    all.addAll(List.of(more));
    return terminal.run(all.toArray(String[]::new));
  }
}
