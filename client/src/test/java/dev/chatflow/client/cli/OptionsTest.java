package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OptionsTest {
  private final Terminal terminal = new Terminal();

  @Test
  void defaultWorkloadHasHalfAMillionTexts() {
    assertThat(terminal.run("--dry-run")).isZero();
    assertThat(terminal.out())
        .contains(
            "20 rooms x 50 users",
            "502,000 sends, 25,051,000 deliveries",
            "ws://localhost:8080/chat");
  }

  @Test
  void commandLineWinsOverEnvironmentOverFileOverDefault() {
    terminal.userFile.setProperty("rooms", "3");
    terminal.userFile.setProperty("room-size", "4");
    terminal.environment.put("CHATFLOW_CLIENT_ROOM_SIZE", "5");
    terminal.environment.put("CHATFLOW_CLIENT_MESSAGES", "6");
    assertThat(terminal.run("--dry-run", "--messages", "7")).isZero();
    assertThat(terminal.out()).contains("3 rooms x 5 users", "7 messages each", "model burst");
  }

  @Test
  void singleOptionsOverrideThePreset() {
    assertThat(terminal.run("run", "--preset", "1m", "--rooms", "2", "--dry-run")).isZero();
    assertThat(terminal.out()).contains("2 rooms x 100 users", "1,000 messages each");
  }

  @Test
  void rateImpliesOpenAndWindowImpliesClosed() {
    terminal.run("--dry-run", "-R", "26.1k");
    assertThat(terminal.out()).contains("model open 26,100/s;");
    terminal.run("--dry-run", "-w", "4");
    assertThat(terminal.out()).contains("model closed, at most 4 in flight per user");
    terminal.run("--dry-run", "-w", "4", "-R", "100");
    assertThat(terminal.out()).contains("model open 100/s, at most 4 in flight per user");
    terminal.run("--dry-run", "--msg-frequency", "500ms", "-r", "1", "-u", "10");
    assertThat(terminal.out()).contains("model open 20/s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--part=1/2 | --part and --start-at must be given together",
        "--part=2 --start-at=2999-01-01T00:00:00Z | --part must be K/N such as 2/4, found 2",
        "--part=3/2 --start-at=soon | --start-at must be a time in UTC",
        "--part=1/2 --start-at=2025-01-01T00:00:00Z | --start-at must be within a day from now",
        "--part=3/2 --start-at=IN_AN_HOUR | number of --part",
        "--part=1/9 -u=8 --start-at=IN_AN_HOUR | --part needs a user of every room in each part",
        "--part=1/2 --churn=10%/5s --start-at=IN_AN_HOUR | --part cannot be combined with"
            + " --pool-size, --mix"
      })
  void invalidPartIsRejected(String options, String reason) {
    String start = Instant.now().plusSeconds(3_600).toString();
    List<String> line = new ArrayList<>(List.of("--dry-run"));
    line.addAll(List.of(options.replace("IN_AN_HOUR", start).split(" ", -1)));
    assertThat(terminal.run(line.toArray(String[]::new))).as(terminal.out()).isEqualTo(2);
    assertThat(terminal.err()).contains(reason);
  }

  @Test
  void partsShareTheSeedAndHaveDifferentUsers() {
    String start = "--start-at=" + Instant.now().plusSeconds(3_600);
    assertThat(terminal.run("--dry-run", "--part=1/3", start)).as(terminal.err()).isZero();
    assertThat(terminal.out()).contains("20 rooms x 16 users = 320 connections", "part    1 of 3");
    Terminal other = new Terminal();
    other.run("--dry-run", "--part=3/3", start);
    assertThat(other.out()).contains("20 rooms x 17 users = 340 connections");
    assertThat(seed(other.out())).isEqualTo(seed(terminal.out()));
  }

  private static String seed(String plan) {
    return plan.substring(plan.indexOf("; seed "), plan.indexOf('\n', plan.indexOf("; seed ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--bogus",
        "--rooms=0",
        "--rooms=x",
        "--threads=1025",
        "--rate=fast",
        "--duration=5",
        "--backoff=1s",
        "--model=other",
        "--model=open",
        "--preset=9m",
        "--verify=maybe",
        "--format=xml",
        "--msg-size=39",
        "--arrivals=never",
        "--total=5 --messages=5",
        "--model=burst --rate=5",
        "--messages=-1",
        "http://x/chat"
      })
  void wrongInputExitsWithTwoAndPointsToTheHelp(String arguments) {
    assertThat(terminal.run((arguments + " --dry-run").split(" ", -1))).isEqualTo(2);
    assertThat(terminal.err())
        .endsWith("For all options: java -jar chatflow-client.jar run --help\n");
  }

  @Test
  void wrongInputOfAnotherCommandPointsToItsOwnHelp() {
    assertThat(terminal.run("probe", "--nothing", "ws://x/chat")).isEqualTo(2);
    assertThat(terminal.err())
        .endsWith("For all options: java -jar chatflow-client.jar probe --help\n");
    assertThat(terminal.run("sweep", "--vary", "nothing=1", "ws://x/chat")).isEqualTo(2);
    assertThat(terminal.err())
        .endsWith("For all options: java -jar chatflow-client.jar sweep --help\n");
  }

  @Test
  void helpAndErrorsShowTheCommandThatTheUserTyped() {
    terminal.launcher = "./chatflow";
    assertThat(terminal.run("run", "--help")).isZero();
    assertThat(terminal.out())
        .startsWith("Usage: ./chatflow load [OPTIONS] [URL...]")
        .contains("  ./chatflow load --rate 1k -d 60s")
        .doesNotContain("chatflow-client ");
    assertThat(terminal.run("run", "--nothing")).isEqualTo(2);
    assertThat(terminal.err()).endsWith("For all options: ./chatflow load --help\n");
    assertThat(terminal.run("smoke", "--nothing")).isEqualTo(2);
    assertThat(terminal.err()).endsWith("For all options: ./chatflow smoke --help\n");
  }

  @Test
  void examplesInTheHelpAreNotWrapped() {
    assertThat(terminal.run("token", "--help")).isZero();
    assertThat(terminal.out())
        .contains(
            "  java -jar chatflow-client.jar token --key token.key --user 17 --room 5"
                + " --link http://localhost:8080/\n");
  }

  @Test
  void userFileIsReadFromTheHomeVariable(@TempDir Path home) throws IOException {
    Files.writeString(home.resolve(".chatflow-client.properties"), "rooms=7\n");
    assertThat(OptionDefaults.userFile(Map.of("HOME", home.toString())))
        .containsEntry("rooms", "7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "run",
        "load",
        "find-max",
        "sweep",
        "compare",
        "report",
        "smoke",
        "probe",
        "generate-completion"
      })
  void everyCommandPrintsHelpAndVersionWithoutRunning(String command) {
    terminal.environment.put("CHATFLOW_CLIENT_THREDS", "1"); // unknown, so it would fail a run
    for (String option : List.of("--help", "-h", "--version", "-V")) {
      Terminal one = new Terminal();
      one.environment.putAll(terminal.environment);
      assertThat(one.run((command + " " + option).strip().split(" ", -1))).as(one.err()).isZero();
      assertThat(one.out())
          .startsWith(
              option.toLowerCase(Locale.ROOT).contains("v") ? "chatflow-client " : "Usage:");
      assertThat(one.err()).isEmpty();
    }
  }

  @Test
  void completionIsGeneratedForTheTypedCommand() {
    assertThat(terminal.run("generate-completion", "chatflow", "build", "up")).isZero();
    assertThat(terminal.out())
        .contains("_complete_chatflow", "find-max", "build", "--room-size")
        .doesNotContain("chatflow-client");
  }

  @Test
  void misspelledVariableIsAUsageErrorWithoutStackTrace() {
    terminal.environment.put("CHATFLOW_CLIENT_THREDS", "1");
    assertThat(terminal.run("--dry-run")).isEqualTo(2);
    assertThat(terminal.err())
        .contains("CHATFLOW_CLIENT_THREDS", "did you mean CHATFLOW_CLIENT_THREADS")
        .doesNotContain("Exception");
  }

  @Test
  void helpNamesOptionsAndExitCodes() {
    assertThat(terminal.run("--help")).isZero();
    assertThat(terminal.out()).contains("130", "verification failed");
    assertThat(terminal.run("run", "--help")).isZero();
    assertThat(terminal.out()).contains("--room-size");
  }
}
