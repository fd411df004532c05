package dev.chatflow.server.launch;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.support.ConfigSource;
import dev.chatflow.support.UncaughtHandler;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.apache.qpid.server.util.urlstreamhandler.data.Handler;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything of one launch: a server in this process, more in child processes, and the
 * embedded broker if no broker is configured.
 *
 * <p>One thread runs it; an interrupt of that thread requests the stop. Events come from any
 * thread.
 */
final class Deployment {

  /** The first word of the line that reports that a server accepts connections. */
  static final String READY = "ready";

  /** The prefix of each line of this process's log; logback.xml reads it. */
  private static final String LOG_PREFIX = "log.prefix";

  /** The JVM options with which {@code ./chatflow up} and the image start a server. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-XX:FreqInlineSize=80",
          "-XX:InlineSmallCode=600",
          "-XX:MaxInlineLevel=4",
          "-XX:TrimNativeHeapInterval=5000");

  private static final int PORT_STEP = 10;
  private static final int MAX_EVENTS = 64;

  /** Interval of readiness checks; longer after a request to wait. */
  private static final Duration READY_PERIOD = Duration.ofMillis(20);

  private static final Duration WAITING_PERIOD = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final LaunchOptions options;
  private final EffectiveConfig config;
  private final Path program;
  private final Streams streams;
  private final PrintStream out;
  private final ContainerLog log;
  private final long startedNanos = System.nanoTime();

  /**
   * At most {@link #MAX_EVENTS}; when full the newest is dropped, because the launcher is ending
   * then.
   */
  private final BlockingQueue<LaunchEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);

  // Used only by the running thread.
  private final List<ServerProcess> children = new ArrayList<>();
  private final Set<Integer> starting = new HashSet<>();
  private @Nullable EmbeddedBroker broker;
  private @Nullable BrokerFile brokerFile;

  Deployment(LaunchOptions options, EffectiveConfig config, Path program, Streams streams) {
    this.options = options;
    this.config = config;
    this.program = program;
    this.streams = streams;
    this.out = streams.out();
    this.log = new ContainerLog(out);
  }

  /** Starts, serves until a stop is requested or a server fails, then stops. */
  void run() throws LaunchException {
    if (options.servers() > 1) {
      System.setProperty(LOG_PREFIX, ServerProcess.name(1)); // before anything is logged
    }
    log.install();
    Thread.setDefaultUncaughtExceptionHandler(
        new UncaughtHandler()); // also for threads of the container and the broker
    EmbeddedServer server =
        new EmbeddedServer(
            UnpackedProgram.war(program),
            new EmbeddedServer.Listening(
                config.value("ADDRESS"),
                config.number("PORT"),
                config.number("MAX_CONNECTIONS"),
                tls(),
                config.value("SINK").equals("portable")),
            log,
            reason -> events.offer(new LaunchEvent.Failed(reason)));
    try {
      ServerAddresses addresses = start(server);
      watchParent();
      serve(new ReadyCheck(addresses.ready()));
    } catch (InterruptedException _) {
      out.println("stopping: delivering accepted messages first");
    } finally {
      Thread.interrupted(); // the request was handled; it must not disturb draining
      stop(server);
    }
  }

  private EmbeddedServer.@Nullable Tls tls() {
    String certificate = config.value("TLS_CERTIFICATE");
    return certificate.isEmpty()
        ? null
        : new EmbeddedServer.Tls(certificate, config.value("TLS_KEY"));
  }

  /**
   * Starts everything on a separate thread, because broker and container must not be interrupted
   * while they start. A stop requested during the start takes effect about a second later, when
   * they have started.
   */
  private ServerAddresses start(EmbeddedServer server)
      throws LaunchException, InterruptedException {
    FutureTask<ServerAddresses> task = new FutureTask<>(() -> startParts(server));
    Thread starter = Thread.ofPlatform().name("chat-start").start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      starter.join();
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LaunchException failure) {
        throw failure;
      }
      throw LaunchException.failed(String.valueOf(e.getCause()), e);
    }
  }

  private ServerAddresses startParts(EmbeddedServer server) throws LaunchException {
    int port = server.bind(); // first: if it is in use nothing else has started yet
    System.setProperty(LaunchOptions.PORT, Integer.toString(port));
    startBroker();
    startChildren(); // while this one starts
    server.start();
    log.started();
    ServerAddresses addresses =
        new ServerAddresses(
            config.value("ADDRESS"),
            port,
            tls() != null,
            config.value("ADMIN_ADDRESS"),
            server.adminPort());
    out.print("server " + serverId() + "\n" + addresses.describe());
    if (options.trial() != null) {
      out.print(firstCommands(options.trial(), addresses));
    }
    adviseOnJvm(ManagementFactory.getRuntimeMXBean().getInputArguments());
    return addresses;
  }

  /**
   * Warns if the first of these options is missing: it decides whether a server with an exhausted
   * heap ends or hangs.
   */
  private void adviseOnJvm(List<String> given) {
    String needed = JVM_OPTIONS.getFirst();
    boolean isDecided =
        given.stream()
            .anyMatch(option -> option.endsWith(needed.substring(needed.indexOf('+') + 1)));
    if (!isDecided && !options.child()) {
      out.println(
          "  advice  a server with an exhausted heap hangs: start java with "
              + String.join(" ", JVM_OPTIONS));
    }
  }

  private static String firstCommands(TokenSetup trial, ServerAddresses addresses)
      throws LaunchException {
    try {
      return trial.describe(addresses.here());
    } catch (IOException e) {
      throw LaunchException.failed("cannot create a token: " + e.getMessage(), e);
    }
  }

  /** Reads the id again, because one derived from the port depends on the free port. */
  private String serverId() throws LaunchException {
    return EffectiveConfig.read().value("SERVER_ID");
  }

  private void startBroker() throws LaunchException {
    if (options.namesBroker()) {
      return;
    }
    TomcatURLStreamHandlerFactory.getInstance().addUserFactory(Deployment::brokerUrls);
    try {
      EmbeddedBroker started = EmbeddedBroker.start();
      broker = started;
      System.setProperty(LaunchOptions.AMQP_URI, started.uri().toString());
      out.println("broker embedded, on 127.0.0.1:" + started.uri().getPort());
      if (!options.brokerFile().isEmpty()) {
        brokerFile = BrokerFile.write(options.brokerFile(), started.uri());
      }
    } catch (BrokerException e) {
      throw LaunchException.failed(ContainerLog.reason(e), e);
    }
  }

  /**
   * Handles the URLs of the broker's configuration; the JDK finds handlers only on the class path.
   */
  private static @Nullable URLStreamHandler brokerUrls(String protocol) {
    return protocol.equals("data") ? new Handler() : null;
  }

  private void startChildren() throws LaunchException {
    for (int number = 2; number <= options.servers(); number++) {
      ProcessBuilder command = ServerProcess.command(program, environment(number));
      children.add(ServerProcess.start(number, command, streams, events::offer));
      starting.add(number);
    }
  }

  /**
   * Returns the environment of server {@code number}: the settings of this process with its own
   * ports and name.
   */
  private Map<String, String> environment(int number) {
    Map<String, String> environment = new HashMap<>();
    for (String property : System.getProperties().stringPropertyNames()) {
      if (property.startsWith("chatflow.")) {
        environment.put(ConfigSource.environmentName(property), System.getProperty(property));
      }
    }
    environment.put("CHATFLOW_PORT", nextPort("PORT", number));
    environment.put("CHATFLOW_ADMIN_PORT", nextPort("ADMIN_PORT", number));
    String id = environment.getOrDefault("CHATFLOW_SERVER_ID", System.getenv("CHATFLOW_SERVER_ID"));
    if (id != null) {
      environment.put("CHATFLOW_SERVER_ID", id + "-" + number);
    }
    return environment;
  }

  private String nextPort(String key, int number) {
    int first = config.number(key);
    return Integer.toString(first == 0 ? 0 : first + PORT_STEP * (number - 1));
  }

  /**
   * Ends this child when its parent ends for any reason: the parent holds its standard input open.
   */
  private void watchParent() {
    if (options.child()) {
      Thread.ofPlatform().daemon().name("chat-parent").start(this::readToEnd);
    }
  }

  private void readToEnd() {
    try {
      System.in.skipNBytes(Long.MAX_VALUE);
    } catch (IOException _) {
      // the end in any form
    }
    events.offer(new LaunchEvent.StopRequested());
  }

  private void serve(ReadyCheck check) throws InterruptedException, LaunchException {
    boolean ready = false;
    String reported = "";
    while (true) {
      LaunchEvent event =
          ready && starting.isEmpty()
              ? events.take()
              : events.poll(
                  (reported.isEmpty() ? READY_PERIOD : WAITING_PERIOD).toMillis(),
                  TimeUnit.MILLISECONDS);
      if (event instanceof LaunchEvent.StopRequested) {
        return;
      }
      if (event != null) {
        answer(event);
      }
      if (!ready || event instanceof LaunchEvent.ChildReady) {
        String obstacle = ready ? null : check.obstacle();
        ready = obstacle == null;
        if (ready && starting.isEmpty()) {
          out.printf("%s after %.1f s; Ctrl-C drains and stops%n", READY, secondsSinceStart());
        }
        if (obstacle != null && secondsSinceStart() > PATIENCE.toSeconds()) {
          reported = report(obstacle, reported);
        }
      }
    }
  }

  /**
   * Reports why the server is not ready, once per cause, which is the text before a state or colon.
   *
   * @return the cause
   */
  private String report(String obstacle, String reported) {
    String cause = obstacle.split("[:A-Z]", 2)[0];
    if (!cause.equals(reported)) {
      out.println("not ready yet: " + obstacle + " (" + brokerName() + ")");
    }
    return cause;
  }

  private String brokerName() {
    return broker == null ? "broker: " + config.value("AMQP_URI") : "embedded broker";
  }

  private void answer(LaunchEvent event) throws LaunchException {
    switch (event) {
      case LaunchEvent.Failed failed -> throw LaunchException.failed(failed.reason());
      case LaunchEvent.ChildReady child -> starting.remove(child.number());
      case LaunchEvent.ChildEnded child -> {
        if (starting.contains(child.number())) {
          throw LaunchException.failed("server " + child.number() + " does not start");
        }
        out.println("server " + child.number() + " ended with status " + child.status());
      }
      case LaunchEvent.StopRequested _ -> throw new IllegalStateException("answered by serve");
    }
  }

  private double secondsSinceStart() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  /** Stops the servers first, so that they can still publish, then the broker. */
  private void stop(EmbeddedServer server) {
    try {
      server.stop();
      children.forEach(ServerProcess::requestStop);
      children.forEach(ServerProcess::awaitEnd);
    } finally {
      if (brokerFile != null) {
        brokerFile.close();
      }
      if (broker != null) {
        broker.close();
      }
      log.close();
    }
  }
}
