package dev.chatflow.lab.node;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The load client as a process. */
public final class LoadRun implements AutoCloseable {

  private static final Path CLIENT =
      Path.of("..", "client", "target", "chatflow-client.jar").toAbsolutePath().normalize();
  private static final long PATIENCE_SECONDS = 1_800; // limits a hang; not part of the verdict

  /** Exit statuses with a report of a complete run. */
  private static final List<Integer> JUDGED = List.of(0, 3, 4, 6);

  private final Process process;
  private final Path output;
  private final Path errors;

  private LoadRun(Process process, Path output, Path errors) {
    this.process = process;
    this.output = output;
    this.errors = errors;
  }

  /**
   * Starts a run; its files go to the directory.
   *
   * @param stretch factor of the length in its option {@code -d}
   */
  public static LoadRun start(
      Path directory, long seed, int stretch, List<String> options, List<String> urls)
      throws IOException {
    Path output = Files.createTempFile(directory, "load", ".json");
    Path errors = Files.createTempFile(directory, "load", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-jar", CLIENT.toString(), "run"));
    command.addAll(List.of("-q", "--format", "json", "--seed", Long.toString(seed)));
    command.addAll(List.of("-o", "none", "--drain", "30s", "--timeout", "60s"));
    command.addAll(List.of("--verify", "total-order"));
    command.addAll(stretched(options, stretch));
    command.addAll(urls);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("CHATFLOW_"));
    return new LoadRun(builder.start(), output, errors);
  }

  private static List<String> stretched(List<String> options, int stretch) {
    List<String> longer = new ArrayList<>(options);
    int duration = longer.indexOf("-d") + 1;
    longer.set(duration, stretch * Integer.parseInt(longer.get(duration).replace("s", "")) + "s");
    return longer;
  }

  /** Requires that the load still runs after the fault: otherwise it proves nothing. */
  public void mustRun() throws FaultOutlasted {
    if (!isRunning()) {
      throw new FaultOutlasted();
    }
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Waits for the end of the run and reads its report. */
  public LoadResult await() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the load client is too slow: " + printed());
    }
    if (!JUDGED.contains(process.exitValue())) {
      throw new IOException("the load client ended with " + process.exitValue() + ": " + printed());
    }
    try {
      JsonObject report = JsonParser.parseString(Files.readString(output)).getAsJsonObject();
      return new LoadResult(process.exitValue(), report);
    } catch (JsonSyntaxException | IllegalStateException e) {
      throw new IOException("no report: " + printed(), e);
    }
  }

  private String printed() throws IOException {
    return Files.readString(errors) + Files.readString(output);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
