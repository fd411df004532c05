package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests workloads with differing users: pool, mix, hot rooms, stages and warmup. */
final class WorkloadIT {
  private final Terminal terminal = new Terminal();

  @Test
  void usersOfAPoolTakeTurnsAndReceiveFewerCopies() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "4", "-u", "10", "-m", "20", "--pool-size", "5"))
          .as(terminal.out())
          .isZero();
      // the server may accept a connection before it notices the end of the previous one
      assertThat(server.mostConnections()).isLessThan(15);
    }
    assertThat(count("connectionsOpened")).isEqualTo(40);
    assertThat(count("texts")).isEqualTo(4 * 10 * 20);
    assertThat(count("accepted")).isEqualTo(4 * 10 * 22);
    assertThat(rate("fanOut")).isBetween(1.0, 5.0);
  }

  @Test
  void poolWarnsOfItsReducedFanOut() {
    assertThat(terminal.run("--dry-run", "--pool-size", "16")).isZero();
    assertThat(terminal.out())
        .contains("WARNING", "16 connections", "at most 16 copies instead of 50");
    assertThat(terminal.run("--pool-size", "16", "--rate", "5", "--dry-run")).isEqualTo(2);
  }

  @Test
  void lossIsFoundInAPool() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 97, 20))) {
      assertThat(
              run(
                  server,
                  "-r",
                  "4",
                  "-u",
                  "10",
                  "-m",
                  "20",
                  "-p",
                  "8",
                  "-t",
                  "1",
                  "--drain",
                  "1s",
                  "--timeout",
                  "1s"))
          .as(terminal.out())
          .isEqualTo(4);
    }
    assertThat(defects().get("lost").getAsLong()).isPositive();
  }

  @Test
  void mixKeepsMembershipValid() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "2", "-u", "6", "-m", "200", "--mix", "T=90,J=5,L=5"))
          .as(terminal.out())
          .isZero();
    }
    assertThat(count("texts")).isEqualTo(2 * 6 * 180);
    assertThat(count("joins")).isEqualTo(count("leaves")).isBetween(12L + 100, 12L + 120);
    assertThat(count("rejected")).isZero();
  }

  @Test
  void defectsAreFoundBetweenLeavesAndJoins() {
    for (Defects.Kind kind : List.of(Defects.Kind.DUPLICATE, Defects.Kind.CORRUPT)) {
      Terminal own = new Terminal();
      try (FakeServer server = FakeServer.start(Defects.of(kind, 97, 11))) {
        int code =
            own.run(
                "-q",
                "--format",
                "json",
                "-r",
                "2",
                "-u",
                "6",
                "-m",
                "100",
                "-w",
                "4",
                "--mix",
                "T=80,J=10,L=10",
                "--drain",
                "2s",
                server.url());
        assertThat(code).as(own.out()).isEqualTo(4);
      }
      JsonObject found = own.json().getAsJsonObject("verdict").getAsJsonObject("defects");
      assertThat(found.get(kind == Defects.Kind.CORRUPT ? "corrupt" : "duplicate").getAsLong())
          .isEqualTo(11);
    }
  }

  @Test
  void hotRoomsReceiveMoreMessages() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "3", "-u", "4", "--total", "1100", "--zipf", "1"))
          .as(terminal.out())
          .isZero();
    }
    assertThat(room(0, "sent")).isEqualTo(600);
    assertThat(room(1, "sent")).isEqualTo(300);
    assertThat(room(2, "sent")).isEqualTo(200);
  }

  @Test
  void stagesSendAtTheirRates() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "2", "-u", "4", "--stages", "100:500ms,1k:500ms"))
          .as(terminal.out())
          .isZero();
    }
    assertThat(count("texts")).isEqualTo(50 + 500);
  }

  @Test
  void warmUpIsVerifiedAndNotRecordedAndKeepsItsConnections() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "2", "-u", "4", "-m", "30", "--warmup", "3x50"))
          .as(terminal.out())
          .isZero();
    }
    assertThat(count("connectionsOpened")).isEqualTo(8);
    assertThat(count("texts")).isEqualTo(8 * 30 + 150);
    assertThat(count("textDeliveries")).isEqualTo(4 * (8 * 30 + 150));
    JsonObject delivery =
        terminal
            .json()
            .getAsJsonObject("latencyMicros")
            .getAsJsonObject("delivery")
            .getAsJsonObject("service");
    assertThat(delivery.get("count").getAsLong()).isEqualTo(4 * 8 * 30);
    assertThat(room(0, "accepted")).isEqualTo(4 * 30);
  }

  @Test
  void warmupPresetRunsWithAsManyUsersAsThreads() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(
              run(
                  server,
                  "--preset",
                  "warmup-a1",
                  "-t",
                  "32",
                  "--total",
                  "3200",
                  "--warmup",
                  "32x10"))
          .as(terminal.out())
          .isZero();
    }
    assertThat(count("connectionsOpened")).isEqualTo(32);
    assertThat(count("texts")).isEqualTo(32 * 10 + 2880);
    assertThat(count("joins")).isBetween(32L + 100, 32L + 160);
  }

  @Test
  void signalsAreReportedOnlyIfTheyAreRequested() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "2", "-u", "4", "-R", "50", "-d", "1s", "--signals", "20.5"))
          .as(terminal.out())
          .isZero();
      assertThat(count("signals")).isBetween(35L, 45L);
      assertThat(count("signalDeliveries")).isEqualTo(4 * count("signals"));
      assertThat(count("signalsMissing")).isZero();
      assertThat(latencies().keySet()).contains("signal");
      Terminal other = new Terminal();
      assertThat(other.run("-q", "-r", "2", "-u", "4", "-m", "2", server.url())).isZero();
      assertThat(other.out()).doesNotContainIgnoringCase("signal");
    }
  }

  @Test
  void devicesOfAUserDoNotReplaceEachOther() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "2", "-u", "6", "-m", "20", "--devices", "2"))
          .as(terminal.out())
          .isZero();
      assertThat(count("textDeliveries")).isEqualTo(2 * 6 * 6 * 20);
      assertThat(run(server, "-r", "2", "-u", "5", "--devices", "2")).isEqualTo(2);
      assertThat(terminal.err()).contains("--room-size must be a multiple of --devices");
    }
  }

  @Test
  void textsWithDataAreVerified() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "-r", "2", "-u", "4", "-m", "20", "-s", "500", "--data-size", "2000"))
          .as(terminal.out())
          .isZero();
    }
    assertThat(count("textDeliveries")).isEqualTo(2 * 4 * 4 * 20);
  }

  private JsonObject latencies() {
    return terminal.json().getAsJsonObject("latencyMicros");
  }

  private JsonObject defects() {
    return terminal.json().getAsJsonObject("verdict").getAsJsonObject("defects");
  }

  private long count(String name) {
    return terminal.json().getAsJsonObject("counts").get(name).getAsLong();
  }

  private double rate(String name) {
    return terminal.json().getAsJsonObject("rates").get(name).getAsDouble();
  }

  private long room(int index, String name) {
    return terminal
        .json()
        .getAsJsonArray("rooms")
        .get(index)
        .getAsJsonObject()
        .get(name)
        .getAsLong();
  }

  private int run(FakeServer server, String... more) {
    List<String> all = new ArrayList<>(List.of("-q", "--format", "json", server.url()));
    all.addAll(List.of(more));
    return terminal.run(all.toArray(String[]::new));
  }
}
