package dev.chatflow.server.launch;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.support.LastResort;
import dev.chatflow.support.Source;
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
 * Everything one launch runs: a server in this process, more in child processes, and the embedded
 * broker when none was named.
 *
 * <p>One thread runs it; an interrupt of that thread is the request to stop. Events come from any
 * thread.
 */
final class Deployment {

  /** A line that starts with this word says that a server takes connections. */
  static final String READY = "ready";

  /** What begins each line of this process's log; logback.xml reads it. */
  private static final String LOG_PREFIX = "log.prefix";

  /** The JVM options with which {@code ./chatflow up} and the image start a server. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-XX:TrimNativeHeapInterval=5000");

  private static final int PORT_STEP = 10;
  private static final int MAX_EVENTS = 64;

  /** Between two looks whether this server is ready; longer once it has been told to wait. */
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
   * At most {@link #MAX_EVENTS}; when full the newest is dropped: the launcher is on its way out
   * then.
   */
  private final BlockingQueue<LaunchEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);

  // Touched by the running thread alone.
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

  /** Starts, serves until asked to stop or unable to go on, stops. */
  void run() throws StartException {
    if (options.servers() > 1) {
      System.setProperty(LOG_PREFIX, ServerProcess.name(1)); // before anything is logged
    }
    log.install();
    Thread.setDefaultUncaughtExceptionHandler(new LastResort()); // the container's and broker's too
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
      out.println("stopping: what was accepted is delivered first");
    } finally {
      Thread.interrupted(); // the request has been taken; draining must not be disturbed by it
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
   * Starts everything on a thread of its own: broker and container must not be interrupted half
   * made. A request to stop meanwhile is obeyed when they are whole, a second later.
   */
  private ServerAddresses start(EmbeddedServer server) throws StartException, InterruptedException {
    FutureTask<ServerAddresses> task = new FutureTask<>(() -> startParts(server));
    Thread starter = Thread.ofPlatform().name("chat-start").start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      starter.join();
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StartException failure) {
        throw failure;
      }
      throw StartException.failed(String.valueOf(e.getCause()), e);
    }
  }

  private ServerAddresses startParts(EmbeddedServer server) throws StartException {
    int port = server.bind(); // first: when it is in use nothing else has started yet
    System.setProperty(LaunchOptions.PORT, Integer.toString(port));
    startBroker();
    startChildren(); // meanwhile, this one
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

  /** The first of these options decides whether a server whose heap is exhausted ends or hangs. */
  private void adviseOnJvm(List<String> given) {
    String needed = JVM_OPTIONS.getFirst();
    boolean isDecided =
        given.stream()
            .anyMatch(option -> option.endsWith(needed.substring(needed.indexOf('+') + 1)));
    if (!isDecided && !options.child()) {
      out.println(
          "  advice  a server whose heap is exhausted hangs: start java with "
              + String.join(" ", JVM_OPTIONS));
    }
  }

  private static String firstCommands(Trial trial, ServerAddresses addresses)
      throws StartException {
    try {
      return trial.describe(addresses.here());
    } catch (IOException e) {
      throw StartException.failed("no token can be made: " + e.getMessage(), e);
    }
  }

  /** Read again: a name made from the port follows the port that was free. */
  private String serverId() throws StartException {
    return EffectiveConfig.read().value("SERVER_ID");
  }

  private void startBroker() throws StartException {
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
      throw StartException.failed(ContainerLog.reason(e), e);
    }
  }

  /**
   * The broker reads its configuration as a URL of this kind; the JDK finds handlers on the class
   * path alone.
   */
  private static @Nullable URLStreamHandler brokerUrls(String protocol) {
    return protocol.equals("data") ? new Handler() : null;
  }

  private void startChildren() throws StartException {
    for (int number = 2; number <= options.servers(); number++) {
      ProcessBuilder command = ServerProcess.command(program, environment(number));
      children.add(ServerProcess.start(number, command, streams, events::offer));
      starting.add(number);
    }
  }

  /**
   * What server {@code number} is told: the settings of this process, with ports and name of its
   * own.
   */
  private Map<String, String> environment(int number) {
    Map<String, String> environment = new HashMap<>();
    for (String property : System.getProperties().stringPropertyNames()) {
      if (property.startsWith("chatflow.")) {
        environment.put(Source.environmentName(property), System.getProperty(property));
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
   * A child ends with its parent, however that ends: its standard input is the parent's to hold
   * open.
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
      // The end, in whatever form.
    }
    events.offer(new LaunchEvent.StopRequested());
  }

  private void serve(ReadyCheck check) throws InterruptedException, StartException {
    boolean ready = false;
    boolean reported = false;
    while (true) {
      LaunchEvent event =
          ready && starting.isEmpty()
              ? events.take()
              : events.poll(
                  (reported ? WAITING_PERIOD : READY_PERIOD).toMillis(), TimeUnit.MILLISECONDS);
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
        if (!ready && !reported && secondsSinceStart() > PATIENCE.toSeconds()) {
          reported = true;
          out.println("not ready yet: " + obstacle + " (" + brokerName() + ")");
        }
      }
    }
  }

  private String brokerName() {
    return broker == null ? "broker: " + config.value("AMQP_URI") : "embedded broker";
  }

  private void answer(LaunchEvent event) throws StartException {
    switch (event) {
      case LaunchEvent.Failed failed -> throw StartException.failed(failed.reason());
      case LaunchEvent.ChildReady child -> starting.remove(child.number());
      case LaunchEvent.ChildEnded child -> {
        if (starting.contains(child.number())) {
          throw StartException.failed("server " + child.number() + " does not start");
        }
        out.println("server " + child.number() + " ended with status " + child.status());
      }
      case LaunchEvent.StopRequested _ -> throw new IllegalStateException("answered by serve");
    }
  }

  private double secondsSinceStart() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  /** Servers first, so that they can still publish what they must; then what they publish to. */
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
