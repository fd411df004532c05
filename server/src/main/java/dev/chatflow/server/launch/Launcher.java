package dev.chatflow.server.launch;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.server.ServerConfig;
import dev.chatflow.start.StopSignals;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The entry point of the launcher: parses arguments and returns an exit status.
 *
 * <p>{@link #run} occupies the calling thread until the servers have stopped; an interrupt of that
 * thread requests the stop.
 */
public final class Launcher {

  private static final int FAILED = 1;

  private final Streams streams;

  /**
   * Creates a launcher that prints to the given streams.
   *
   * @param out results: addresses, configuration
   * @param err errors, one line each; the logs of further servers
   */
  public Launcher(PrintStream out, PrintStream err) {
    this.streams = new Streams(out, err);
  }

  /**
   * Runs {@code java -jar}: executes the arguments and ends the process. SIGTERM and Ctrl-C request
   * the stop.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // texts and names must not depend on the locale
    System.exit(launch(List.of(arguments), Path.of(System.getProperty("java.class.path"))));
  }

  private static int launch(List<String> arguments, Path program) {
    Thread runner = Thread.currentThread();
    AtomicBoolean isRequested = new AtomicBoolean();
    try {
      // Only the first: a terminal and a script may both send one, and draining must continue.
      StopSignals.handle(() -> {
        if (!isRequested.getAndSet(true)) {
          runner.interrupt();
        }
      });
    } catch (ReflectiveOperationException e) {
      System.err.println("chatflow: this JVM does not pass on signals (-Xrs?): " + e);
      return FAILED;
    }
    return new Launcher(System.out, System.err).run(arguments, program);
  }

  /**
   * Executes the arguments.
   *
   * @param arguments see {@code --help}
   * @param program the file started by {@code java -jar}, from which further servers are started
   * @return exit status: 0 done or stopped on request, 1 could not start, 2 usage or configuration
   */
  int run(List<String> arguments, Path program) {
    try {
      LaunchOptions options = LaunchOptions.parse(arguments);
      if (options.action() == LaunchOptions.Action.HELP) {
        streams.out().print(LaunchOptions.usage());
        return 0;
      }
      if (options.action() == LaunchOptions.Action.GENERATE) {
        streams.out().print(ServerConfig.template());
        return 0;
      }
      if (options.action() == LaunchOptions.Action.UNPACK) {
        unpack(program, Path.of(options.unpackTo()));
        return 0;
      }
      if (options.showsPassword()) {
        streams.err().println(BrokerConfig.PASSWORD_SHOWN);
      }
      options.settings().forEach(System::setProperty);
      if (options.trial() != null) {
        make(options.trial());
      }
      EffectiveConfig config = EffectiveConfig.read();
      switch (options.action()) {
        case CHECK -> {
          EffectiveConfig.requireUsable();
          streams.out().println("configuration ok");
        }
        case PRINT -> streams.out().print(printed(options, config));
        default -> new Deployment(options, config, program, streams).run();
      }
      return 0;
    } catch (LaunchException e) {
      streams.err().println("chatflow: " + e.getMessage());
      return e.status();
    }
  }

  private static void unpack(Path program, Path directory) throws LaunchException {
    try {
      UnpackedProgram.make(UnpackedProgram.war(program), directory);
    } catch (IOException e) {
      throw LaunchException.failed("cannot unpack to " + directory + ": " + e, e);
    }
  }

  private static void make(TokenSetup trial) throws LaunchException {
    try {
      trial.make();
    } catch (IOException e) {
      throw LaunchException.failed(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw LaunchException.failed("interrupted while creating a certificate", e);
    }
    trial.settings().forEach(System::setProperty);
  }

  private static String printed(LaunchOptions options, EffectiveConfig config) {
    return options.namesBroker()
        ? config.text()
        : config.text().replaceFirst("(?m)^CHATFLOW_AMQP_URI=.*$", "CHATFLOW_AMQP_URI=embedded");
  }
}
