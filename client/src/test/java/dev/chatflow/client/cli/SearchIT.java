package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakeServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commands that make several runs. */
final class SearchIT {
  private final Terminal terminal = new Terminal();

  @Test
  void findMaxStopsAtTheRateThatMissesTheObjective() {
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "find-max",
              "-q",
              "--from",
              "50",
              "--settle",
              "100ms",
              "--step",
              "1500ms",
              "--precision",
              "50%",
              "--slo",
              "attempted<100",
              "-r",
              "1",
              "-u",
              "2",
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
      assertThat(terminal.out())
          .contains("FAIL objective missed: attempted < 100", "(confirming)", "confirmed 2x");
    }
  }

  @Test
  void sweepComparesItsCells() {
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "sweep",
              "-q",
              "--vary",
              "in-flight=1,8",
              "--vary",
              "servers=1,2",
              "--repeat",
              "2",
              "--before",
              "test -n \"$IN_FLIGHT\"",
              "-r",
              "2",
              "-u",
              "3",
              "-m",
              "30",
              server.url(),
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
      assertThat(terminal.out())
          .contains("in-flight=1 servers=1", "in-flight=8 servers=2", "meets target", "1.00");
    }
  }

  @Test
  void sweepRejectsUnknownNames() {
    assertThat(terminal.run("sweep", "--vary", "pool-sise=1,2", "ws://127.0.0.1:1/chat"))
        .isEqualTo(2);
    assertThat(terminal.err()).contains("pool-sise", "pool-size", "servers", "--before");
    assertThat(terminal.run("sweep", "--vary", "WORKERS=1,2", "ws://127.0.0.1:1/chat"))
        .isEqualTo(2);
  }

  @Test
  void everyNameOfAnOptionMayBeVaried() {
    for (String name : new String[] {"threads", "numThreads"}) {
      assertThat(terminal.run("sweep", "--vary", name + "=1,2", "ws://127.0.0.1:1/chat"))
          .as("accepted, but no server is running")
          .isEqualTo(5);
    }
  }

  @Test
  void sweepRejectsInvalidValuesBeforeTheFirstRun() {
    assertThat(terminal.run("sweep", "--vary", "threads=1,0", "ws://127.0.0.1:1/chat"))
        .isEqualTo(2);
    assertThat(terminal.run("sweep", "--vary", "threads", "ws://127.0.0.1:1/chat")).isEqualTo(2);
    assertThat(terminal.run("sweep", "--vary", "servers=2", "ws://127.0.0.1:1/chat")).isEqualTo(2);
  }

  @Test
  void nonNumericServerCountIsAUsageError() {
    assertThat(terminal.run("sweep", "--vary", "servers=1,two", "ws://127.0.0.1:1/chat"))
        .isEqualTo(2);
    assertThat(terminal.err())
        .contains("--vary servers must be numbers of URLs such as 1,2,4, found two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "find-max --dry-run",
        "find-max --out x",
        "find-max --label x",
        "find-max --csv messages",
        "find-max --note a=b",
        "find-max --apdex 1s",
        "find-max --verbose",
        "find-max --format json",
        "sweep --vary threads=1 --dry-run",
        "sweep --vary threads=1 --csv messages",
        "sweep --vary threads=1 --format json",
        "sweep --vary threads=1 --verbose"
      })
  void optionWithoutEffectIsRejected(String arguments) {
    assertThat(terminal.run((arguments + " ws://127.0.0.1:1/chat").split(" ", -1)))
        .as("rejected before the client connects")
        .isEqualTo(2);
    assertThat(terminal.err()).contains("Unknown option");
  }

  @ParameterizedTest
  @ValueSource(strings = {"find-max", "sweep --vary threads=1"})
  void unknownFigureInAnObjectiveIsRejectedBeforeTheFirstRun(String command) {
    assertThat(terminal.run((command + " --slo nothing<1 ws://127.0.0.1:1/chat").split(" ", -1)))
        .isEqualTo(2);
    assertThat(terminal.err()).contains("--slo: unknown figure nothing");
  }
}
