package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the load models, with response and service times. */
final class ModelsIT {
  private final Terminal terminal = new Terminal();

  @Test
  void stallAppearsInResponseTimesButNotInServiceTimes() {
    try (FakeServer server = FakeServer.start()) {
      Thread.ofVirtual()
          .start(() -> {
            Awaitility.await().until(() -> server.deliveries() > 1_000);
            server.stall(Duration.ofSeconds(1));
          });
      int code =
          terminal.run(
              "-q",
              "--format",
              "json",
              "-r",
              "1",
              "-u",
              "10",
              "-R",
              "1000",
              "-w",
              "1",
              "-d",
              "4s",
              server.url());
      assertThat(code).as(terminal.out()).isZero();
    }
    JsonObject echo = latency("echo");
    assertThat(millis(echo, "response", "max")).isGreaterThan(900);
    assertThat(millis(echo, "response", "p99"))
        .as("EngineTest checks exact values in virtual time")
        .isGreaterThan(millis(echo, "service", "p99"));
  }

  @Test
  void openModelKeepsItsRateAndLittlesLawHolds() {
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "-q",
              "--format",
              "json",
              "-r",
              "4",
              "-u",
              "5",
              "-R",
              "2000",
              "-d",
              "1500ms",
              server.url());
      assertThat(code).as(terminal.out()).isZero();
    }
    JsonObject rates = terminal.json().getAsJsonObject("rates");
    double rate = rates.get("acceptedPerSecond").getAsDouble();
    assertThat(terminal.json().getAsJsonObject("counts").get("texts").getAsLong()).isEqualTo(3_000);
    double predicted = rate * millis(latency("echo"), "service", "mean") / 1e3;
    assertThat(predicted)
        .isCloseTo(rates.get("meanInFlight").getAsDouble(), within(0.02 * predicted + 0.001));
  }

  @Test
  void closedModelNeverHasMoreInFlightThanItsWindow() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 1, 1_000))) {
      int code =
          terminal.run(
              "-q",
              "--format",
              "json",
              "-r",
              "2",
              "-u",
              "5",
              "-m",
              "200",
              "-w",
              "3",
              "--drain",
              "1s",
              server.url());
      assertThat(code).as(terminal.out()).isEqualTo(4);
    }
    JsonObject counts = terminal.json().getAsJsonObject("counts");
    assertThat(counts.get("texts").getAsLong()).isEqualTo(2 * 5 * 3);
    assertThat(counts.get("failed").getAsLong()).isEqualTo(2 * 5 * 197);
  }

  @Test
  void seededRunsSendTheSameTexts() {
    try (FakeServer server = FakeServer.start()) {
      for (int i = 0; i < 2; i++) {
        assertThat(
                new Terminal()
                    .run("-q", "-r", "1", "-u", "1", "-m", "5", "--seed", "5", server.url()))
            .isZero();
      }
      assertThat(server.texts()).hasSize(10);
      assertThat(server.texts().subList(0, 5)).isEqualTo(server.texts().subList(5, 10));
    }
  }

  @Test
  void usersAreSpreadOverServersAndUrlsMayContainTheRoom() {
    try (FakeServer one = FakeServer.start()) {
      String url = one.url() + "/{room}";
      assertThat(terminal.run("-q", "-r", "2", "-u", "4", "-m", "5", url, one.url()))
          .as(terminal.out())
          .isZero();
    }
  }

  @Test
  void connectOnlyRunsHoldTheirConnections() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("-q", "-r", "2", "-u", "4", "-m", "0", "-d", "300ms", server.url()))
          .isZero();
      assertThat(terminal.out()).contains("PASS  every one of 40 deliveries");
    }
  }

  private JsonObject latency(String series) {
    return terminal.json().getAsJsonObject("latencyMicros").getAsJsonObject(series);
  }

  private static double millis(JsonObject series, String clock, String statistic) {
    return series.getAsJsonObject(clock).get(statistic).getAsDouble() / 1e3;
  }
}
