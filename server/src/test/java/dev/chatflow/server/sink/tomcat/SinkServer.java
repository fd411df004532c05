package dev.chatflow.server.sink.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.FanOut;
import dev.chatflow.room.FanOutConfig;
import dev.chatflow.room.Past;
import dev.chatflow.room.Payload;
import dev.chatflow.room.RoomEvent;
import dev.chatflow.room.RoomEvent.Newcomer;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.UserDevice;
import dev.chatflow.server.ServerTimer;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.websocket.WsSession;
import org.apache.tomcat.websocket.server.WsSci;
import org.jspecify.annotations.Nullable;

/**
 * A real Tomcat whose connections are members of one real room, each with a sink of the required
 * kind; the test is the room's reader thread.
 */
final class SinkServer implements AutoCloseable {

  /** Ends a hang; the machine may be busy. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  static final String PATH = "/sink";

  private static final RoomId ROOM = new RoomId("1");

  private final Tomcat tomcat = new Tomcat();
  private final Path base;
  private final boolean tls;
  private final ServerTimer timer = new ServerTimer();
  private final Sinks sinks;
  private final FanOut fanOut = new FanOut(new FanOutConfig(2, 16, Duration.ofMillis(5)));
  private final Rooms rooms;
  private final AtomicInteger lastMember = new AtomicInteger();

  /** Its members, in the order of their handshakes. */
  final List<Connected> members = new CopyOnWriteArrayList<>();

  /** Starts and waits until the sink is selected; fails if it is another than required. */
  static SinkServer with(SinkMode mode, boolean tls, Duration deadline) throws Exception {
    SinkServer server = new SinkServer(mode, tls, deadline, Map.of());
    String wanted = mode == SinkMode.PORTABLE ? "portable" : "direct";
    if (!server.sinks.name().equals(wanted)) {
      String refusal = server.sinks.refusal();
      server.close();
      throw new IllegalStateException("not " + wanted + ": " + refusal);
    }
    return server;
  }

  /**
   * Starts and waits until the sink is selected or rejected.
   *
   * @param settings properties of the connector
   */
  SinkServer(SinkMode mode, boolean tls, Duration deadline, Map<String, String> settings)
      throws Exception {
    this.tls = tls;
    sinks = new Sinks(mode, deadline, timer);
    rooms = new Rooms(new RoomsConfig(1, 4 << 20, 16 << 20, 0, 256 << 10, deadline), fanOut);
    base = Files.createTempDirectory("chatflow-sink-");
    tomcat.setBaseDir(base.toString());
    Connector connector = tls ? TestConnectors.tls() : TestConnectors.plain();
    settings.forEach(connector::setProperty);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    whenItStarts(
        context,
        (_, servlets) -> {
          try {
            ServerContainer sockets =
                (ServerContainer) servlets.getAttribute("jakarta.websocket.server.ServerContainer");
            sockets.addEndpoint(
                ServerEndpointConfig.Builder.create(Joining.class, PATH)
                    .configurator(new Making())
                    .build());
            sinks.decide(servlets, () -> {}, reason -> {});
          } catch (jakarta.websocket.DeploymentException e) {
            throw new IllegalStateException(e);
          }
        });
    fanOut.start();
    tomcat.start();
    Soon.until(() -> sinks.isDecided() || sinks.refusal() != null);
  }

  /** Enables WebSockets for an application, with an action while it starts. */
  private static void whenItStarts(Context context, ServletContainerInitializer action) {
    Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet")
        .addMapping("/");
    context.addServletContainerInitializer(new WsSci(), null);
    context.addServletContainerInitializer(action, Set.of());
  }

  /** Deploys another application, which is starting until a connector was tested for it in vain. */
  Sinks deployLate(Duration deadline) throws Exception {
    Sinks late = new Sinks(SinkMode.AUTO, deadline, timer);
    CountDownLatch asked = new CountDownLatch(1);
    tomcat.getEngine().getPipeline().addValve(new Counting(asked));
    StandardContext context = new StandardContext();
    context.setPath("/late");
    context.setName("/late");
    context.setDocBase(base.toString());
    context.addLifecycleListener(new Tomcat.FixContextListener());
    whenItStarts(
        context,
        (_, servlets) -> {
          try {
            late.decide(servlets, () -> {}, reason -> {});
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    tomcat.getHost().addChild(context);
    return late;
  }

  /** Detects requests for the late application. */
  private static final class Counting extends ValveBase {
    private final CountDownLatch asked;

    Counting(CountDownLatch asked) {
      super(true);
      this.asked = asked;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      if (request.getRequestURI().startsWith("/late")) {
        asked.countDown();
      }
      getNext().invoke(request, response);
    }
  }

  Sinks sinks() {
    return sinks;
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  long openConnections() {
    return ((AbstractProtocol<?>) tomcat.getConnector().getProtocolHandler()).getConnectionCount();
  }

  /** Opens a new connection; it is a member from the next {@link #say} or {@link #tick} on. */
  SelfTestPeer connect() throws Exception {
    int before = members.size();
    SelfTestPeer peer =
        new SelfTestPeer(
            new Connectors.Connector(
                InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort(), tls, true),
            PATIENCE);
    int status = peer.upgrade("localhost", PATH, "http://localhost");
    if (status != 101) {
      throw new IOException("status " + status);
    }
    Soon.until(() -> members.size() > before);
    return peer;
  }

  // --- the room's reader thread, which is the test's

  /** Makes a connection a member: it gets its JOIN, whose payload is {@code JOIN}. */
  void join(Connected member) {
    UserDevice user = new UserDevice(Integer.toString(member.user), "");
    Newcomer newcomer = new Newcomer(member, Past.NONE);
    rooms.show(
        ROOM, new RoomEvent.Joined(user, member.connectionId(), false, payload("JOIN"), newcomer));
  }

  void say(int number, byte[] text) {
    rooms.show(ROOM, new RoomEvent.Said(new Payload(text)));
  }

  void tick() {
    rooms.tick();
  }

  boolean areCaughtUp() {
    return rooms.areCaughtUp();
  }

  long logBytes() {
    return rooms.logBytes();
  }

  static Payload payload(String text) {
    return new Payload(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws LifecycleException, IOException {
    sinks.close();
    tomcat.stop();
    tomcat.destroy();
    fanOut.close();
    timer.shutdownNow();
    try (Stream<Path> files = Files.walk(base)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  private final class Making extends ServerEndpointConfig.Configurator {
    @Override
    public <T> T getEndpointInstance(Class<T> type) {
      return type.cast(new Joining(SinkServer.this));
    }

    @Override
    public List<jakarta.websocket.Extension> getNegotiatedExtensions(
        List<jakarta.websocket.Extension> installed, List<jakarta.websocket.Extension> requested) {
      return List.of();
    }
  }

  /** Makes a member of each connection. */
  static final class Joining extends Endpoint {
    private final SinkServer server;
    private @Nullable Connected member;

    Joining(SinkServer server) {
      this.server = server;
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
      session.getUserProperties().put("port", server.port());
      Connected made =
          new Connected(
              server.lastMember.incrementAndGet(), (WsSession) session, server.sinks, server.timer);
      member = made;
      session.addMessageHandler(String.class, (MessageHandler.Whole<String>) text -> {});
      server.members.add(made);
    }

    @Override
    public void onClose(Session session, jakarta.websocket.CloseReason reason) {
      if (member != null) {
        member.ended = true;
        member.sink.ended();
      }
    }
  }

  /** Busy waiting. */
  static final class Soon {
    private Soon() {}

    static void until(java.util.concurrent.Callable<Boolean> condition) {
      org.awaitility.Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(condition);
    }
  }
}
