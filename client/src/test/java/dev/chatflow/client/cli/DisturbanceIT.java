package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests connections that are lost during a run, and slow readers. */
final class DisturbanceIT {
  private final Terminal terminal = new Terminal();

  @Test
  void droppedConnectionsReconnectAndNoRequiredDeliveryIsLost() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "--churn", "40%/250ms")).as(terminal.out()).isZero();
    }
    JsonObject counts = terminal.json().getAsJsonObject("counts");
    assertThat(counts.get("dropped").getAsLong()).isGreaterThan(10);
    assertThat(counts.get("reconnections").getAsLong())
        .isEqualTo(counts.get("dropped").getAsLong());
    assertThat(counts.get("texts").getAsLong())
        .isEqualTo(
            counts.get("accepted").getAsLong() - 10 - counts.get("reconnections").getAsLong() - 10);
  }

  @Test
  void droppedConnectionsResumeWithoutLoss() {
    try (FakeServer server = FakeServer.start()) {
      server.remember();
      assertThat(
              run(
                  server,
                  "--churn",
                  "40%/250ms",
                  "--resume",
                  "--history",
                  "5",
                  "--verify",
                  "total-order"))
          .as(terminal.out())
          .isZero();
    }
    JsonObject counts = terminal.json().getAsJsonObject("counts");
    assertThat(counts.get("resumed").getAsLong())
        .isEqualTo(counts.get("dropped").getAsLong())
        .isGreaterThan(10);
    assertThat(counts.get("caughtUp").getAsLong()).isPositive();
    assertThat(counts.get("historyFrames").getAsLong()).as("JOINs").isEqualTo(2 * (1 + 2 + 3 + 4));
    assertThat(counts.get("textDeliveries").getAsLong())
        .isEqualTo(5 * counts.get("texts").getAsLong());
    assertThat(
            terminal
                .json()
                .getAsJsonObject("latencyMicros")
                .getAsJsonObject("catch_up")
                .getAsJsonObject("service")
                .get("count")
                .getAsLong())
        .isEqualTo(counts.get("resumed").getAsLong());
  }

  @Test
  void defectIsFoundDuringChurn() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 199, 20))) {
      assertThat(run(server, "--churn", "20%/500ms")).as(terminal.out()).isEqualTo(4);
    }
    long lost =
        terminal
            .json()
            .getAsJsonObject("verdict")
            .getAsJsonObject("defects")
            .get("lost")
            .getAsLong();
    assertThat(lost).isBetween(1L, 20L);
  }

  @Test
  void connectionsCutByTheNetworkAreReopened() {
    try (FakeServer server = FakeServer.start()) {
      cutOnceRunning(server);
      assertThat(run(server, "--reconnect")).as(terminal.out()).isZero();
    }
    JsonObject counts = terminal.json().getAsJsonObject("counts");
    assertThat(counts.get("connectionsLost").getAsLong()).isEqualTo(3);
    assertThat(counts.get("reconnections").getAsLong()).isEqualTo(3);
  }

  @Test
  void connectionsLostWhileRejoiningAreReopenedByTheNextAttempt() {
    try (FakeServer server = FakeServer.start()) {
      Thread.ofVirtual()
          .start(() -> {
            Awaitility.await().until(() -> server.deliveries() > 500);
            server.cutJoins(4);
            server.cut(10);
          });
      assertThat(run(server, "--reconnect")).as(terminal.out()).isZero();
    }
    JsonObject counts = terminal.json().getAsJsonObject("counts");
    assertThat(counts.get("connectionsLost").getAsLong()).isEqualTo(14);
    assertThat(counts.get("lostAgain").getAsLong()).isEqualTo(4);
    assertThat(counts.get("reconnections").getAsLong()).isEqualTo(10);
  }

  @Test
  void reconnectDelayOfADrainingServerIsRespected() {
    try (FakeServer server = FakeServer.start()) {
      Thread.ofVirtual()
          .start(() -> {
            Awaitility.await().until(() -> server.deliveries() > 500);
            server.closeAll(1001, "reconnect after 300 ms");
          });
      assertThat(run(server, "--reconnect")).as(terminal.out()).isZero();
    }
    JsonObject recovery =
        terminal
            .json()
            .getAsJsonObject("latencyMicros")
            .getAsJsonObject("recovery")
            .getAsJsonObject("service");
    assertThat(recovery.get("count").getAsLong()).isEqualTo(10);
    assertThat(recovery.get("min").getAsLong()).isGreaterThanOrEqualTo(290_000);
  }

  @Test
  void supersededConnectionDoesNotReconnect() {
    try (FakeServer server = FakeServer.start()) {
      Thread.ofVirtual()
          .start(() -> {
            Awaitility.await().until(() -> server.deliveries() > 500);
            server.closeAll(4009, "taken over");
          });
      assertThat(run(server, "--reconnect")).as(terminal.out()).isEqualTo(3);
    }
    JsonObject counts = terminal.json().getAsJsonObject("counts");
    assertThat(counts.get("reconnections").getAsLong()).isZero();
    assertThat(counts.getAsJsonObject("closeCodes").get("4009").getAsLong()).isEqualTo(10);
  }

  @Test
  void slowReadersEventuallyReceiveEverythingAndOthersAreUnaffected() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(run(server, "--slow", "20%@20")).as(terminal.out()).isZero();
    }
    assertThat(terminal.json().getAsJsonObject("counts").get("textDeliveries").getAsLong())
        .isEqualTo(5 * terminal.json().getAsJsonObject("counts").get("texts").getAsLong());
  }

  private int run(FakeServer server, String... disturbance) {
    String[] common = {
      "-q",
      "--format",
      "json",
      "-r",
      "2",
      "-u",
      "5",
      "-R",
      "500",
      "-d",
      "1500ms",
      "--drain",
      "3s",
      server.url()
    };
    String[] all = new String[common.length + disturbance.length];
    System.arraycopy(common, 0, all, 0, common.length);
    System.arraycopy(disturbance, 0, all, common.length, disturbance.length);
    return terminal.run(all);
  }

  private static void cutOnceRunning(FakeServer server) {
    Thread.ofVirtual()
        .start(() -> {
          Awaitility.await().until(() -> server.deliveries() > 500);
          server.cut(3);
        });
  }
}
