package dev.chatflow.lab.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program that starts and breaks a RabbitMQ, with the verbs of {@code
 * infra/rabbitmq/test-broker}, and the directory it works in. Any thread; each call waits.
 */
record ControlProgram(String program, Path directory) {

  private static final long PATIENCE_SECONDS = 600;

  /** Runs a verb and returns what it said. */
  String run(String verb, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program, verb, directory.toString()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("chaos-broker", ".log");
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

  /** Starts what there is to start; returns the address it told. */
  String start(String... arguments) throws IOException {
    String answer = run("start", arguments);
    return answer
        .lines()
        .filter(line -> line.startsWith("amqp="))
        .map(line -> line.substring("amqp=".length()))
        .findFirst()
        .orElseThrow(() -> new IOException(program + " names no amqp=URI: " + answer));
  }
}
