package dev.chatflow.server.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The packaged WAR, started by {@code java -jar} with its own temporary directory and no external
 * settings.
 */
public final class LaunchedWar implements AutoCloseable {

  public static final Path WAR = Path.of("target/chatflow.war").toAbsolutePath();

  /** A server whose heap is exhausted must end, so that it is restarted. */
  static final String ENDS_WHEN_EXHAUSTED = "-XX:+ExitOnOutOfMemoryError";

  /** A server that lives for seconds starts sooner with it. */
  static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

  /** Enough for a few hundred members. */
  public static final String HEAP = "128m";

  private final Process process;
  private final Path output;

  private LaunchedWar(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  public static LaunchedWar start(
      Path temporary, Map<String, String> environment, String... arguments) throws IOException {
    return start(temporary, HEAP, environment, arguments);
  }

  /** Starts it with a heap of this size, as {@code -Xmx} takes it. */
  public static LaunchedWar start(
      Path temporary, String heap, Map<String, String> environment, String... arguments)
      throws IOException {
    return start(
        temporary,
        List.of("-Xmx" + heap, ONE_COMPILER, ENDS_WHEN_EXHAUSTED, "-jar", WAR.toString()),
        environment,
        arguments);
  }

  /** Starts it with these JVM options, which include the program. */
  static LaunchedWar start(
      Path temporary, List<String> program, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-Dlauncher.command=./chatflow"); // as the launcher starts it
    command.addAll(program);
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("launched", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CHATFLOW_"));
    builder.environment().putAll(environment);
    return new LaunchedWar(builder.start(), output);
  }

  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the URL after a label in the output of server 1, 2 and so on. */
  public Optional<String> url(int server, String label) {
    String prefix = server == 1 ? "" : "[server " + server + "]";
    return output()
        .lines()
        .filter(line -> line.startsWith(prefix + "  "))
        .map(line -> line.substring(prefix.length()).strip())
        .filter(line -> line.startsWith(label + " "))
        .map(line -> line.split(" +", 3)[1])
        .findFirst();
  }

  public boolean isReady() {
    if (!process.isAlive()) {
      throw new IllegalStateException("ended with " + process.exitValue() + ": " + output());
    }
    return output().lines().anyMatch(line -> line.startsWith("ready"));
  }

  /** Returns the process, for signals of the test. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Sends a signal that Java has no method for, such as {@code STOP}. */
  public void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IllegalStateException("kill -" + name + " failed");
    }
  }

  public void terminate() {
    process.destroy();
  }

  public void kill() {
    process.destroyForcibly();
  }

  List<ProcessHandle> children() {
    return process.children().toList();
  }

  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("still running: " + output());
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
    Files.delete(output);
  }
}
