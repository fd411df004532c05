package dev.chatflow.server.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Another server in a JVM of its own, with the heap settings of this one.
 *
 * <p>One thread starts and stops; the thread {@code chat-server-n} copies its output, line by line,
 * and tells when it is ready and when it ends. It lives no longer than its standard input, so it
 * cannot outlive this process.
 */
final class ServerProcess {

  static final String CHILD_OPTION = "--child";

  private final int number;
  private final Process process;
  private final PrintStream out;
  private final Consumer<LaunchEvent> events;
  private volatile boolean ready;

  private ServerProcess(
      int number, Process process, PrintStream out, Consumer<LaunchEvent> events) {
    this.number = number;
    this.process = process;
    this.out = out;
    this.events = events;
  }

  /**
   * Starts a server.
   *
   * @param number 2 for the first server that is not in this process
   * @param prepared see {@link #command}
   */
  static ServerProcess start(
      int number, ProcessBuilder prepared, PrintStream out, Consumer<LaunchEvent> events)
      throws StartException {
    try {
      ServerProcess server = new ServerProcess(number, prepared.start(), out, events);
      Thread.ofPlatform().daemon().name("chat-server-" + number).start(server::follow);
      return server;
    } catch (IOException e) {
      throw StartException.failed("server " + number + " does not start: " + e.getMessage(), e);
    }
  }

  /**
   * The command of a server in another JVM: same JDK, same {@code -X} options.
   *
   * @param environment what it has beyond the environment of this process; secrets travel here,
   *     never on a command line
   */
  static ProcessBuilder command(Path war, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X"))
        .forEach(command::add);
    command.addAll(List.of("-jar", war.toString(), CHILD_OPTION));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder;
  }

  private void follow() {
    try (BufferedReader lines = process.inputReader(Charset.defaultCharset())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println("[server " + number + "] " + line);
        if (line.startsWith(Deployment.READY)) {
          ready = true;
          events.accept(new LaunchEvent.ChildReady(number));
        }
      }
      events.accept(new LaunchEvent.ChildEnded(number, process.waitFor()));
    } catch (IOException e) {
      out.println("[server " + number + "] output lost: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks it to drain and end; {@link #awaitEnd} waits for that. */
  void requestStop() {
    if (!ready) {
      process.destroy(); // a start can only be interrupted
    }
    try {
      process.getOutputStream().close();
    } catch (IOException _) {
      process.destroy(); // no such input any more: a signal means the same
    }
  }

  void awaitEnd() {
    process.onExit().join();
  }
}
