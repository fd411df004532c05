package dev.chatflow.lab.node;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A RabbitMQ node that is ours to break, run by a control program with the verbs of {@code
 * infra/rabbitmq/test-broker}.
 */
public final class RabbitNode implements FaultyBroker {

  private static final long PATIENCE_SECONDS = 600;

  private final String control;
  private final Path directory;
  private final URI uri;
  private final String version;

  private RabbitNode(String control, Path directory, URI uri, String version) {
    this.control = control;
    this.directory = directory;
    this.uri = uri;
    this.version = version;
  }

  /**
   * Starts a node.
   *
   * @param control the control program
   * @param directory for its data; need not exist
   */
  public static RabbitNode launch(String control, Path directory) throws IOException {
    String answer = run(control, directory, "start");
    String uri =
        answer
            .lines()
            .filter(line -> line.startsWith("amqp="))
            .map(line -> line.substring("amqp=".length()))
            .findFirst()
            .orElseThrow(() -> new IOException(control + " names no amqp=URI: " + answer));
    String version = run(control, directory, "ctl", "version").strip();
    return new RabbitNode(control, directory, URI.create(uri), version);
  }

  private static String run(String control, Path directory, String verb, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(control, verb, directory.toString()));
    command.addAll(List.of(arguments));
    Path output = java.nio.file.Files.createTempFile("chaos-broker", ".log");
    try { // not a pipe: the node would hold it open
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " takes too long");
      }
      String text = java.nio.file.Files.readString(output, StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException(command + ": " + text);
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      java.nio.file.Files.delete(output);
    }
  }

  private void run(String verb, String... arguments) throws IOException {
    run(control, directory, verb, arguments);
  }

  @Override
  public String name() {
    return "RabbitMQ " + version;
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public void closeConnections(List<Duration> pauses) throws IOException {
    String millis =
        pauses.stream().map(p -> Long.toString(p.toMillis())).collect(Collectors.joining(","));
    // One call, for each takes seconds to start.
    run(
        "ctl",
        "eval",
        "[begin timer:sleep(T), rabbit_networking:close_connections("
            + "rabbit_networking:connections(), <<\"closed by a fault scenario\">>) end || T <- ["
            + millis
            + "]].");
  }

  @Override
  public void stop() throws IOException {
    run("stop");
  }

  @Override
  public void start() throws IOException {
    run("start");
  }

  @Override
  public void kill() throws IOException {
    run("kill");
  }

  @Override
  public boolean isRabbit() {
    return true;
  }

  @Override
  public void alarm(boolean on) throws IOException {
    run("ctl", "set_vm_memory_high_watermark", on ? "0.000001" : "0.6");
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (IOException e) {
      throw new IllegalStateException("the node still runs", e);
    }
  }
}
