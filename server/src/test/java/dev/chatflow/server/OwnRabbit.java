package dev.chatflow.server;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A RabbitMQ node that a test may stop, start again and freeze: made by {@code
 * infra/rabbitmq/test-broker} in the directory that the environment variable {@value #VARIABLE}
 * names. Ports and data stay from one start to the next.
 */
final class OwnRabbit implements AutoCloseable {

  static final String VARIABLE = "CHATFLOW_TEST_RABBITMQ_NODE";
  static final String ABSENT =
      "no RabbitMQ node that may be stopped: "
          + VARIABLE
          + " names a directory for one, ./chatflow test does so";

  private static final String SCRIPT = "../infra/rabbitmq/test-broker";

  private final String directory;
  private URI uri;

  private OwnRabbit(String directory) throws IOException {
    this.directory = directory;
    this.uri = launch();
  }

  static OwnRabbit start() throws IOException {
    return new OwnRabbit(System.getenv(VARIABLE));
  }

  URI uri() {
    return uri;
  }

  void stop() throws IOException {
    run(SCRIPT, "stop", directory);
  }

  void startAgain() throws IOException {
    URI again = launch();
    if (!again.equals(uri)) {
      throw new IllegalStateException("it listened on " + uri + " and does now on " + again);
    }
    uri = again;
  }

  private URI launch() throws IOException {
    return run(SCRIPT, "start", directory).stream()
        .filter(line -> line.startsWith("amqp="))
        .map(line -> URI.create(line.substring("amqp=".length())))
        .findFirst()
        .orElseThrow();
  }

  /** Keeps its connections and answers nothing until {@link #thaw}. */
  void freeze() throws IOException {
    signal("-STOP");
  }

  void thaw() throws IOException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException {
    long script = Long.parseLong(Files.readString(Path.of(directory, "node.started")).strip());
    ProcessHandle node = ProcessHandle.of(script).orElseThrow();
    List<String> command = new ArrayList<>(List.of("kill", signal, Long.toString(node.pid())));
    node.descendants().forEach(child -> command.add(Long.toString(child.pid())));
    run(command.toArray(String[]::new));
  }

  static List<String> run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(String.join(" ", command) + ": status " + status + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return said.lines().toList();
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
