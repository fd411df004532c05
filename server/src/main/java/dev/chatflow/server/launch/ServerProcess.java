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
 * Another server in its own JVM, with the heap settings of this one.
 *
 * <p>One thread starts and stops it; the threads {@code chat-server-n} and {@code
 * chat-server-n-log} copy its output, line by line and with its name; the first one reports when it
 * is ready and when it ends. It ends with its standard input, so it cannot outlive this process.
 */
final class ServerProcess {

  static final String CHILD_OPTION = "--child";

  private final int number;
  private final Process process;
  private final PrintStream out;
  private final PrintStream err;
  private final Consumer<LaunchEvent> events;
  private volatile boolean ready;

  private ServerProcess(
      int number, Process process, Streams streams, Consumer<LaunchEvent> events) {
    this.number = number;
    this.process = process;
    this.out = streams.out();
    this.err = streams.err();
    this.events = events;
  }

  /**
   * Starts a server.
   *
   * @param number 2 for the first server that is not in this process
   * @param prepared see {@link #command}
   */
  static ServerProcess start(
      int number, ProcessBuilder prepared, Streams streams, Consumer<LaunchEvent> events)
      throws LaunchException {
    try {
      ServerProcess server = new ServerProcess(number, prepared.start(), streams, events);
      Thread.ofPlatform().daemon().name("chat-server-" + number).start(server::follow);
      Thread.ofPlatform().daemon().name("chat-server-" + number + "-log").start(server::copyLog);
      return server;
    } catch (IOException e) {
      throw LaunchException.failed("server " + number + " does not start: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the command of a server in another JVM: same JDK, same {@code -X} options.
   *
   * @param environment additions to the environment of this process, including secrets, which must
   *     not be on a command line
   */
  static ProcessBuilder command(Path war, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X"))
        .forEach(command::add);
    command.addAll(List.of("-jar", war.toString(), CHILD_OPTION));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder;
  }

  private void follow() {
    try (BufferedReader lines = process.inputReader(Charset.defaultCharset())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(name(number) + line);
        if (line.startsWith(Deployment.READY)) {
          ready = true;
          events.accept(new LaunchEvent.ChildReady(number));
        }
      }
      events.accept(new LaunchEvent.ChildEnded(number, process.waitFor()));
    } catch (IOException e) {
      out.println(name(number) + "output lost: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void copyLog() {
    try (BufferedReader lines = process.errorReader(Charset.defaultCharset())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        err.println(name(number) + line);
      }
    } catch (IOException e) {
      err.println(name(number) + "log lost: " + e.getMessage());
    }
  }

  /** Returns the prefix of a server's lines if there are several servers. */
  static String name(int number) {
    return "[server " + number + "] ";
  }

  /** Requests a drain and stop; {@link #awaitEnd} waits for it. */
  void requestStop() {
    if (!ready) {
      process.destroy(); // a start can only be interrupted
    }
    try {
      process.getOutputStream().close();
    } catch (IOException _) {
      process.destroy(); // its input is closed already: a signal has the same effect
    }
  }

  void awaitEnd() {
    process.onExit().join();
  }
}
