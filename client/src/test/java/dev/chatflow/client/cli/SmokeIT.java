package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import org.junit.jupiter.api.Test;

final class SmokeIT {
  private final Terminal terminal = new Terminal();

  @Test
  void correctServerPassesEveryCheck() {
    try (FakeServer server = FakeServer.start()) {
      server.remember();
      assertThat(terminal.run("smoke", server.url())).as(terminal.out()).isZero();
      assertThat(terminal.out()).contains("PASS  21 of 21 checks").doesNotContain("FAIL  ");
      assertThat(terminal.out().lines().filter(line -> line.startsWith("ok "))).hasSize(21);
    }
  }

  @Test
  void serverWithoutHistoryFails() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("smoke", "--timeout", "500ms", server.url())).isEqualTo(4);
      assertThat(terminal.out())
          .contains("FAIL  a returning member gets the messages it missed: the named frame");
    }
  }

  @Test
  void serverThatLosesMessagesFails() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 1, 1))) {
      assertThat(terminal.run("smoke", "--timeout", "500ms", server.url())).isEqualTo(4);
      assertThat(terminal.out())
          .contains("FAIL  JOIN, TEXT and LEAVE come back: TEXT was not echoed");
    }
  }

  /** The check does not depend on timing: the copies arrive before the sender's next text. */
  @Test
  void serverThatBroadcastsAResendTwiceFails() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.RESHOW, 1, 0))) {
      assertThat(terminal.run("smoke", server.url())).isEqualTo(4);
      assertThat(terminal.out()).contains("the other member received it twice");
    }
  }

  @Test
  void unhealthyServerExitsWithFive() {
    try (FakeServer server = FakeServer.start()) {
      server.health("503 Service Unavailable");
      assertThat(terminal.run("smoke", server.url())).isEqualTo(5);
    }
  }

  @Test
  void probePrintsTheLabelsThatScriptsExpect() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("probe", "-m", "100", server.url())).as(terminal.out()).isZero();
      assertThat(terminal.out())
          .contains(
              "Mean response time: ", "Total execution time (sec): ", "Total actual throughput: ");
    }
  }
}
