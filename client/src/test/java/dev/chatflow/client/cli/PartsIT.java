package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.fake.Defects;
import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a run of several clients: each checks its part, and the merged result checks everything.
 */
final class PartsIT {
  private static final int ROOMS = 2;
  private static final int SIZE = 5;
  private static final int MESSAGES = 20;
  private static final long TEXTS = (long) ROOMS * SIZE * MESSAGES;

  @TempDir private Path directory;
  private final Terminal terminal = new Terminal();

  @Test
  void twoProcessesAreOneRun() throws Exception {
    try (FakeServer server = FakeServer.start()) {
      Instant start = Instant.now().plus(timeToStart().multipliedBy(8)).plusSeconds(2);
      List<Process> programs = new ArrayList<>();
      for (int part = 1; part <= 2; part++) {
        programs.add(program(arguments(part, 2, start, server)));
      }
      for (Process program : programs) {
        assertThat(program.waitFor()).as(terminal.out()).isZero();
      }
    }
    assertThat(merged(2)).as(terminal.out() + terminal.err()).isZero();
    assertThat(terminal.out()).contains("in the same order everywhere", "part 1", "part 2");
    JsonObject counts = summary("merged").getAsJsonObject("counts");
    assertThat(counts.get("texts").getAsLong()).isEqualTo(TEXTS);
    assertThat(counts.get("textDeliveries").getAsLong()).isEqualTo(TEXTS * SIZE);
    assertThat(counts.get("otherParts").getAsLong())
        .as("2 of a room's 5 users are in part 1: 2 x 3 + 3 x 2 copies go to the other part")
        .isEqualTo(ROOMS * MESSAGES * 12L);
    assertThat(timed("part-1")).as("2 users, 2 senders").isEqualTo(ROOMS * MESSAGES * 4L);
    assertThat(timed("part-2")).as("3 users, 3 senders").isEqualTo(ROOMS * MESSAGES * 9L);
    assertThat(timed("merged")).as("sum of both parts").isEqualTo(ROOMS * MESSAGES * 13L);
  }

  @ParameterizedTest
  @EnumSource(
      value = Defects.Kind.class,
      names = {"DROP", "DUPLICATE"})
  void defectIsFoundInTheMergedResultWhicheverPartItAffects(Defects.Kind kind) throws Exception {
    try (FakeServer server = FakeServer.start(Defects.of(kind, 41, 1))) {
      runTogether(3, server); // part 1 has one user in each room, so it cannot detect losses
    }
    assertThat(merged(3)).as(terminal.out()).isEqualTo(4);
    String defect = kind == Defects.Kind.DROP ? "lost" : "duplicate";
    assertThat(summary("merged").getAsJsonObject("verdict").getAsJsonObject("defects").toString())
        .contains("\"" + defect + "\":");
  }

  @Test
  void partsMayEndByDuration() throws Exception {
    try (FakeServer server = FakeServer.start()) {
      assertThat(runTogether(2, server, "-R=100", "-d=1s")).as(terminal.err()).containsOnly(0);
    }
    assertThat(merged(2)).as(terminal.out()).isZero();
  }

  @Test
  void mergeNeedsAllPartsOfOneRun() throws Exception {
    try (FakeServer server = FakeServer.start()) {
      assertThat(runTogether(2, server)).containsOnly(0);
    }
    assertThat(terminal.run("report", "merge", "-o=" + directory.resolve("x"), part(2)))
        .isEqualTo(2);
    assertThat(terminal.err()).contains("report merge needs each of the 2 parts once, found [2]");
  }

  private List<Integer> runTogether(int parts, FakeServer server, String... more)
      throws InterruptedException, ExecutionException {
    Instant start = Instant.now().plusSeconds(3);
    try (ExecutorService programs = Executors.newCachedThreadPool()) {
      List<Callable<Integer>> runs = new ArrayList<>();
      for (int part = 1; part <= parts; part++) {
        List<String> arguments = arguments(part, parts, start, server);
        arguments.addAll(List.of(more));
        runs.add(() -> new Terminal().run(arguments.toArray(String[]::new)));
      }
      List<Integer> codes = new ArrayList<>();
      for (Future<Integer> run : programs.invokeAll(runs)) {
        codes.add(run.get());
      }
      return codes;
    }
  }

  private List<String> arguments(int part, int parts, Instant start, FakeServer server) {
    return new ArrayList<>(
        List.of(
            "run",
            "-q",
            "--part=" + part + "/" + parts,
            "--start-at=" + start,
            "-r=" + ROOMS,
            "-u=" + SIZE,
            "-m=" + MESSAGES,
            "-w=2",
            "--drain=5s",
            "--every=10s",
            "-o=" + part(part),
            server.url()));
  }

  private int merged(int parts) {
    List<String> arguments = new ArrayList<>(List.of("report", "merge"));
    for (int part = parts; part >= 1; part--) {
      arguments.add(part(part));
    }
    arguments.add("-o=" + directory.resolve("merged"));
    return terminal.run(arguments.toArray(String[]::new));
  }

  private String part(int number) {
    return directory.resolve("part-" + number).toString();
  }

  private JsonObject summary(String run) throws IOException {
    String json = Files.readString(directory.resolve(run).resolve("summary.json"));
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private long timed(String run) throws IOException {
    return summary(run)
        .getAsJsonObject("latencyMicros")
        .getAsJsonObject("delivery")
        .getAsJsonObject("service")
        .get("count")
        .getAsLong();
  }

  /** Returns how long a client takes to start on this machine. */
  private static Duration timeToStart() throws IOException, InterruptedException {
    Instant before = Instant.now();
    program(List.of("--version")).waitFor();
    return Duration.between(before, Instant.now());
  }

  private static Process program(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(Map.of("CHATFLOW_CLIENT_QUIET", "true"));
    return builder.start();
  }
}
