package dev.chatflow.lab.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program that starts RabbitMQ and causes its faults, with the commands of {@code
 * infra/rabbitmq/test-broker}, and its working directory. Thread-safe; each call waits for the
 * program to end.
 */
record ControlProgram(String program, Path directory) {

  private static final long PATIENCE_SECONDS = 600;

  /** Runs a command of the program and returns its output. */
  String run(String subcommand, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program, subcommand, directory.toString()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("chaos-broker", ".log");
    try { // not a pipe, which the node would keep open
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " is too slow");
      }
      String text = Files.readString(output, StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new IOException(command + ": " + text);
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.delete(output);
    }
  }

  /** Starts the broker and returns its address. */
  String start(String... arguments) throws IOException {
    String answer = run("start", arguments);
    return answer
        .lines()
        .filter(line -> line.startsWith("amqp="))
        .map(line -> line.substring("amqp=".length()))
        .findFirst()
        .orElseThrow(() -> new IOException(program + " printed no amqp=URI: " + answer));
  }
}
