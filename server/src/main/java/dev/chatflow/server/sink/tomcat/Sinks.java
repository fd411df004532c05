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
 * Selects the sink, once per start and connector, and creates it for each connection.
 *
 * <p>Thread-safe. The direct sink needs members of Tomcat that may change with any release. It is
 * used only if they exist and a self-test over a loopback connection passes. Each connector is
 * tested separately. The test has to wait until the connectors accept connections, which is after
 * the application's start; until then the server is not ready.
 */
public final class Sinks implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Sinks.class);

  /** Maximum time for other applications of the container to start before the connectors do. */
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
   * Creates the selection for a starting server.
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
        notFound = "this Tomcat does not have the members it needs: " + e.getMessage();
      }
    }
    internals = found;
    missing = notFound;
  }

  /** Returns whether every connector has its sink; a server is not ready before. */
  public boolean isDecided() {
    return decided;
  }

  /** Returns why this server cannot serve, or null. */
  public @Nullable String refusal() {
    return refusal;
  }

  /**
   * Returns {@code direct}, {@code portable}, or {@code undecided} while there are no connectors
   * yet.
   */
  public String name() {
    if (!decided) {
      return "undecided";
    }
    return directPorts.isEmpty() ? "portable" : "direct";
  }

  /**
   * Starts the selection.
   *
   * @param whenDecided called once, by the testing thread or by the caller
   * @param refused receives the reason if the direct sink is required and does not work
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
                return; // the connectors are stopping, so the result is meaningless
              }
              conclude(verdict.passed, verdict.trouble(), whenDecided, refused);
              tellCost(domain);
            });
  }

  /**
   * Returns the heap bytes of an idle connection of an application's container, with the more
   * expensive sink.
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
      log.debug("the cost of a connection is unknown", e);
      return ConnectionCost.UNKNOWN;
    }
  }

  /** Logs once per start which settings of the container would reduce the cost of connections. */
  private void tellCost(String domain) {
    cost(domain).advice(directPorts.isEmpty()).ifPresent(log::warn);
  }

  private void register(ServletContext context) {
    ServerContainer sockets =
        (ServerContainer) context.getAttribute(ServerContainer.class.getName());
    try {
      sockets.addEndpoint(test.endpoint());
    } catch (DeploymentException e) {
      throw new IllegalStateException(
          "the container does not accept the endpoint: " + e.getMessage(), e);
    }
  }

  private void conclude(
      Set<Integer> passed, String trouble, Runnable whenDecided, Consumer<String> refused) {
    if (mode == SinkMode.DIRECT && !trouble.isEmpty()) {
      String reason =
          "CHATFLOW_SINK=direct does not work here: " + trouble + " (use auto or portable)";
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

  /** Creates the wire of a connection of this container. */
  public Wire wire(Session session) {
    return new TomcatWire((WsSession) session, readState, timer);
  }

  /**
   * Creates the sink of a connection.
   *
   * @param port the local port of the connection
   * @param wire the result of {@link #wire}
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

  /** Ends an unfinished test: nothing is selected any more. */
  @Override
  public void close() {
    closed = true;
    Thread waiting = tester;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /** The results for all connectors of this application; used by one thread. */
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
     * Tests the connectors that were not tested yet; returns true if one leads here and none is
     * still to start. In a running container, connectors exist before the application can be
     * reached through them: until one leads here, the others are tested again.
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

    /** Returns the problem; empty if there is none. */
    String trouble() {
      if (failures.isEmpty() && !ours) {
        return "JMX shows no connector that leads to this application";
      }
      return failures.isEmpty() ? "" : "self-test" + failures.substring(1);
    }
  }
}
