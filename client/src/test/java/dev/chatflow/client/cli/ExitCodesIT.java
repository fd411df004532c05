package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakePages;
import dev.chatflow.client.fake.FakeServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class ExitCodesIT {
  private final Terminal terminal = new Terminal();
  private final AtomicBoolean interrupted = new AtomicBoolean();

  @Test
  void zeroWhenEveryDeliveryArrived() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(small(server)).isZero();
      assertThat(terminal.out())
          .contains("PASS  every one of 168 deliveries arrived once, in order");
    }
  }

  @Test
  void threeWhenConnectionsAreLost() {
    try (FakeServer server = FakeServer.start()) {
      Thread breaker = Thread.ofPlatform().start(() -> cutOneOnceJoined(server));
      int code =
          terminal.run(
              "-q", "-r", "2", "-u", "3", "-R", "40", "-d", "2s", "--drain", "2s", server.url());
      assertThat(code).as(terminal.out()).isEqualTo(3);
      assertThat(terminal.out()).contains("connections.lost == 0 MISSED (1)");
      breaker.interrupt();
    }
  }

  @Test
  void fourWhenADeliveryIsMissing() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 50, 1))) {
      assertThat(small(server)).isEqualTo(4);
      assertThat(terminal.out()).contains("FAIL  lost 1 of 168").contains("lost       sender");
    }
  }

  @Test
  void fourTakesPrecedenceOverThree() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 50, 1))) {
      server.refuseUpgrades(1);
      int code =
          terminal.run(
              "-q",
              "-r",
              "2",
              "-u",
              "3",
              "-m",
              "10",
              "--retries",
              "0",
              "--drain",
              "1s",
              server.url());
      assertThat(code).isEqualTo(4);
    }
  }

  @Test
  void threeWhenAConnectionCannotBeOpened() {
    try (FakeServer server = FakeServer.start()) {
      server.refuseUpgrades(1);
      int code =
          terminal.run("-q", "-r", "2", "-u", "3", "-m", "4", "--retries", "0", server.url());
      assertThat(code).as(terminal.out()).isEqualTo(3);
      assertThat(terminal.out()).contains("connections.failed == 0 MISSED (1)").contains("503");
    }
  }

  @Test
  void refusedUpgradesAreRetried() {
    try (FakeServer server = FakeServer.start()) {
      server.refuseUpgrades(3);
      assertThat(small(server)).as(terminal.out()).isZero();
    }
  }

  @Test
  void fiveWhenTheServerIsUnreachableOrUnhealthy() {
    String unreachable;
    try (FakeServer server = FakeServer.start()) {
      server.health("503 Service Unavailable");
      assertThat(small(server)).isEqualTo(5);
      unreachable = server.url();
    }
    assertThat(terminal.run("-q", unreachable)).isEqualTo(5);
  }

  @Test
  void fiveWithAHintAndNoReportWhenThePathIsWrong() {
    try (FakeServer server = FakeServer.start()) {
      String wrong = server.url().replace("/chat", "/wrong");
      assertThat(terminal.run("-q", "-r", "2", "-u", "3", "-m", "4", wrong)).isEqualTo(5);
    }
    assertThat(terminal.err())
        .contains("no connection could be opened: HTTP/1.1 404 Not Found; a URL must have the path")
        .contains("ws://host:8080/chat");
    assertThat(terminal.out()).doesNotContain("total runtime");
  }

  @Test
  void fiveWithAHintWhenTheUrlHasARoom() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("-q", "-r", "1", "-u", "2", "-m", "1", server.url() + "/7"))
          .isEqualTo(5);
    }
    assertThat(terminal.err())
        .contains("no connection could be opened: HTTP/1.1 400 Bad Request; a URL must have")
        .contains("without a room");
  }

  @Test
  void observersAreNotAwaitedWhenNoConnectionWasOpened() {
    try (FakePages pages = new FakePages();
        FakeServer server = FakeServer.start()) {
      String wrong = server.url().replace("/chat", "/wrong");
      int code =
          terminal.run("-q", "-r", "1", "-u", "2", "-m", "1", "--consumer", pages.url(""), wrong);
      assertThat(code).as(terminal.err()).isEqualTo(5);
      assertThat(pages.requests()).as("only complete runs query the consumer").isZero();
    }
  }

  @Test
  void hundredAndThirtyWhenInterruptedWithPartialResults() {
    try (FakeServer server = FakeServer.start()) {
      Thread control =
          Thread.ofPlatform()
              .start(() -> {
                Awaitility.await().until(() -> server.deliveries() > 50);
                interrupted.set(terminal.interrupt());
              });
      int code = terminal.run("-q", "-r", "2", "-u", "3", "-R", "50", "-d", "60s", server.url());
      assertThat(code).isEqualTo(130);
      Awaitility.await().untilTrue(interrupted);
      assertThat(terminal.out())
          .contains("INTERRUPTED  partial results")
          .contains("ended: interrupted");
      control.interrupt();
    }
  }

  @Test
  void drainTimeoutIsReportedAndFails() {
    try (FakeServer server = FakeServer.start(Defects.of(Defects.Kind.DROP, 7, 1))) {
      assertThat(small(server)).isEqualTo(4);
      assertThat(terminal.out()).contains("drain gave up after 1 s without a delivery");
    }
  }

  private int small(FakeServer server) {
    return terminal.run("-q", "-r", "2", "-u", "3", "-m", "8", "--drain", "1s", server.url());
  }

  private static void cutOneOnceJoined(FakeServer server) {
    Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> server.deliveries() > 30);
    server.cut(1);
  }
}
