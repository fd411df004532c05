package dev.chatflow.server.sink.tomcat;

import dev.chatflow.server.sink.DirectSink;
import dev.chatflow.server.sink.DirectWire;
import dev.chatflow.server.sink.MemberSink;
import dev.chatflow.server.sink.PortableSink;
import dev.chatflow.server.sink.Timer;
import dev.chatflow.server.sink.Wire;
import dev.chatflow.support.Poll;
import jakarta.servlet.ServletContext;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.management.JMException;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how frames leave, once per start and connector, and makes each connection's sink.
 *
 * <p>Thread-safe. The direct sink needs members of Tomcat that may change with any release: it is
 * taken only where they are found and a self-test over a loopback connection passes, by each
 * connector of its own. That test has to wait until the connectors take connections, which is after
 * the application's start: until then nothing is decided and the server is not ready.
 */
public final class Sinks implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Sinks.class);

  /** Other applications of the container may take so long to start before connectors do. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Poll LOOK = new Poll(5, 40);

  private final SinkMode mode;
  private final Duration deadline;
  private final Timer timer;
  private final @Nullable TomcatInternals internals;
  private final String missing;
  private final SelfTest test = new SelfTest(this::direct);
  private final ReadState readState = new ReadState();

  private volatile Set<Integer> directPorts = Set.of();
  private volatile boolean decided;
  private volatile boolean closed;
  private volatile @Nullable String refusal;
  private volatile @Nullable Thread tester;

  /**
   * Makes the choice of a server that starts.
   *
   * @param deadline how long a write may make no progress
   */
  public Sinks(SinkMode mode, Duration deadline, Timer timer) {
    this.mode = mode;
    this.deadline = deadline;
    this.timer = timer;
    TomcatInternals found = null;
    String notFound = "";
    if (mode != SinkMode.PORTABLE) {
      try {
        found = new TomcatInternals();
      } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
        notFound = "this Tomcat has not the members it needs: " + e.getMessage();
      }
    }
    internals = found;
    missing = notFound;
  }

  /** Whether every connector has its sink; a server is not ready before. */
  public boolean isDecided() {
    return decided;
  }

  /** Why this server takes no part, or null. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** {@code direct} or {@code portable}; {@code undecided} while connectors are not there yet. */
  public String name() {
    if (!decided) {
      return "undecided";
    }
    return directPorts.isEmpty() ? "portable" : "direct";
  }

  /**
   * Starts to decide.
   *
   * @param whenDecided called once, by the testing thread or by the caller
   * @param refused takes the reason when the direct sink was asked for and cannot be had
   */
  public void decide(ServletContext context, Runnable whenDecided, Consumer<String> refused) {
    String[] host = context.getVirtualServerName().split("/", 2);
    String domain = host[0];
    if (internals == null) {
      conclude(Set.of(), missing, whenDecided, refused);
      tellCost(domain);
      return;
    }
    register(context);
    String name = host[host.length - 1];
    String path = context.getContextPath();
    tester =
        Thread.ofVirtual()
            .name("chat-self-test")
            .start(() -> {
              Verdict verdict = new Verdict(domain, name, path);
              verdict.reach();
              test.end();
              if (closed) {
                return; // the connectors are going: what the test saw says nothing
              }
              conclude(verdict.passed, verdict.trouble(), whenDecided, refused);
              tellCost(domain);
            });
  }

  /**
   * Bytes of heap that a connection of an application's container holds while nothing moves, with
   * the sink that needs more.
   */
  public static int connectionBytes(ServletContext context) {
    return cost(domain(context)).bytes(true);
  }

  private static String domain(ServletContext context) {
    return context.getVirtualServerName().split("/", 2)[0];
  }

  private static ConnectionCost cost(String domain) {
    try {
      return ConnectionCost.of(domain);
    } catch (JMException | RuntimeException e) {
      log.debug("what a connection costs cannot be known", e);
      return ConnectionCost.UNKNOWN;
    }
  }

  /** Once a start, where other settings of the container would make connections cheaper. */
  private void tellCost(String domain) {
    cost(domain).advice(directPorts.isEmpty()).ifPresent(log::warn);
  }

  private void register(ServletContext context) {
    ServerContainer sockets =
        (ServerContainer) context.getAttribute(ServerContainer.class.getName());
    try {
      sockets.addEndpoint(test.endpoint());
    } catch (DeploymentException e) {
      throw new IllegalStateException("the container takes no endpoint: " + e.getMessage(), e);
    }
  }

  private void conclude(
      Set<Integer> passed, String trouble, Runnable whenDecided, Consumer<String> refused) {
    if (mode == SinkMode.DIRECT && !trouble.isEmpty()) {
      String reason = "CHATFLOW_SINK=direct cannot be: " + trouble + " (auto or portable can)";
      refusal = reason;
      refused.accept(reason);
      return;
    }
    directPorts = Set.copyOf(passed);
    decided = true;
    if (trouble.isEmpty()) {
      log.info("sink {}", name());
    } else {
      log.warn("sink {}: {}", name(), trouble);
    }
    whenDecided.run();
  }

  /** Makes the wire of a connection of this container. */
  public Wire wire(Session session) {
    return new TomcatWire((WsSession) session, readState, timer);
  }

  /**
   * Makes the sink of a connection.
   *
   * @param port ours, by which the connection came in
   * @param wire what {@link #wire} made of the session
   */
  public MemberSink open(Session session, int port, Wire wire, MemberSink.Owner owner) {
    DirectSink direct =
        directPorts.contains(port) ? direct((WsSession) session, wire, owner) : null;
    return direct != null ? direct : new PortableSink(wire, owner);
  }

  private @Nullable DirectSink direct(WsSession session, MemberSink.Owner owner) {
    return direct(session, wire(session), owner);
  }

  private @Nullable DirectSink direct(WsSession session, Wire wire, MemberSink.Owner owner) {
    TomcatInternals known = internals;
    if (known == null) {
      return null;
    }
    DirectWire past = known.wire(session, wire, 2 * deadline.toMillis());
    return past == null ? null : new DirectSink(past, owner, timer, deadline);
  }

  /** Ends a test that is not done: nothing is decided any more. */
  @Override
  public void close() {
    closed = true;
    Thread waiting = tester;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /** The tests by all connectors that lead here; one thread's. */
  private final class Verdict {
    private final String domain;
    private final String host;
    private final String path;
    private final Set<Integer> passed = new HashSet<>();
    private final Set<Integer> failed = new HashSet<>();
    private final Set<Connectors.Connector> tested = new HashSet<>();
    private final StringBuilder failures = new StringBuilder();
    private boolean ours;

    Verdict(String domain, String host, String path) {
      this.domain = domain;
      this.host = host;
      this.path = path;
    }

    void reach() {
      boolean _ = LOOK.until(this::isDone, PATIENCE);
      passed.removeAll(failed); // two addresses of one port
    }

    private boolean isDone() {
      try {
        return testAll();
      } catch (JMException | RuntimeException e) {
        failures.append("; connectors cannot be listed: ").append(e.getMessage());
        return true;
      }
    }

    /**
     * Tests by those that are not tested yet; true when one was ours and none is still to come. In
     * a container that runs, connectors are there before the application can be reached by them:
     * until one was ours, the others are asked again.
     */
    private boolean testAll() throws JMException {
      List<Connectors.Connector> connectors = Connectors.of(domain);
      boolean reachable = ours;
      boolean all = true;
      for (Connectors.Connector connector : connectors) {
        if (connector.started() && !tested.contains(connector)) {
          note(connector, test.by(connector, host, path));
        }
        all &= tested.contains(connector) || (connector.started() && reachable);
      }
      return all && (ours || connectors.isEmpty());
    }

    private void note(Connectors.Connector connector, SelfTest.Result result) {
      switch (result) {
        case SelfTest.Result.Passed _ -> passed.add(connector.port());
        case SelfTest.Result.Failed(String reason) -> {
          failed.add(connector.port());
          failures.append("; by ").append(connector).append(": ").append(reason);
        }
        case SelfTest.Result.NotOurs _ -> {
          return;
        }
      }
      ours = true;
      tested.add(connector);
    }

    /** What went wrong; empty when nothing did. */
    String trouble() {
      if (failures.isEmpty() && !ours) {
        return "JMX shows no connector that leads to this application";
      }
      return failures.isEmpty() ? "" : "self-test" + failures.substring(1);
    }
  }
}
