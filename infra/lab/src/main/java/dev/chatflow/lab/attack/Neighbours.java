package dev.chatflow.lab.attack;

import dev.chatflow.server.launch.LaunchedWar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Attacks by other users of the machine, and known vulnerabilities. */
final class Neighbours {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "pipe-for-lock",
              "replaces the lock of a stopped server with a pipe",
              Neighbours::pipeForLock),
          new Attack(
              "password-in-ps",
              "reads the password of a broker that `--broker` names from the list of processes",
              Neighbours::passwordInPs),
          new Attack(
              "known-holes",
              "uses CVE-2026-77791 and CVE-2026-79677 of Tomcat up to 11.0.25",
              Neighbours::knownHoles));

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int LAST_WITH_HOLES = 25;

  private Neighbours() {}

  static String pipeForLock(Arena arena) throws Exception {
    Path temporary = Files.createDirectory(arena.directory().resolve("everybodys"));
    makePipe(Files.createDirectory(temporary.resolve("chatflow-17")).resolve(".lock"));
    LaunchedWar process = arena.launch(temporary, Map.of(), "--port", "0", "--admin-port", "0");
    try {
      Awaitility.await().atMost(PATIENCE).until(process::isReady);
      return "";
    } catch (ConditionTimeoutException _) {
      return "the server does not start";
    } finally {
      process.kill();
    }
  }

  private static void makePipe(Path path) throws IOException, InterruptedException {
    Process made = new ProcessBuilder("mkfifo", path.toString()).start();
    if (made.waitFor() != 0) {
      throw new IOException("mkfifo failed");
    }
  }

  static String passwordInPs(Arena arena) throws IOException {
    LaunchedWar process =
        arena.launch(
            arena.directory(),
            Map.of(),
            "--port",
            "0",
            "--admin-port",
            "0",
            "--broker",
            "amqp://chat:secret@127.0.0.1:9/");
    // The warning comes first; the error about the missing broker, much later.
    Awaitility.await().atMost(PATIENCE).until(() -> !process.output().isEmpty());
    String output = process.output();
    process.kill();
    return output.contains("(ps)") ? "" : "no warning that ps shows it";
  }

  static String knownHoles(Arena arena) throws IOException {
    try (ZipFile war = new ZipFile(LaunchedWar.WAR.toFile())) {
      List<String> old =
          war.stream()
              .map(entry -> entry.getName().replaceAll(".*/", ""))
              .filter(name -> name.matches("tomcat-embed-(core|websocket)-11\\.0\\.[0-9]+\\.jar"))
              .filter(name -> patchOf(name) <= LAST_WITH_HOLES)
              .toList();
      return String.join(", ", old);
    }
  }

  private static int patchOf(String name) {
    return Integer.parseInt(name.replaceAll(".*-11\\.0\\.([0-9]+)\\.jar", "$1"));
  }
}
