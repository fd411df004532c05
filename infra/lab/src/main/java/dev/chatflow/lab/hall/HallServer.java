package dev.chatflow.lab.hall;

import dev.chatflow.server.edge.tomcat.SinkMembers;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;

/**
 * One hall behind an embedded Tomcat with the launcher's connector settings, steered by lines on
 * standard input: {@code count} answers with totals, the end of input stops it.
 */
public final class HallServer implements AutoCloseable {

  private static final int TEXT_BUFFER = 1_024;

  private final Hall hall;
  private final Tomcat tomcat = new Tomcat();
  private final Path base;

  /**
   * Starts a server on a free loopback port.
   *
   * @param variant naive, async-queue, portable or direct
   */
  public HallServer(String variant) throws IOException, LifecycleException {
    hall =
        switch (variant) {
          case "naive" -> LockedHall.naive();
          case "async-queue" -> LockedHall.queued();
          default -> new LogHall(SinkMembers.of(variant));
        };
    base = Files.createTempDirectory("chatflow-bench-");
    tomcat.setBaseDir(base.toString());
    tomcat.setConnector(connector());
    Context context = tomcat.addContext("", base.toString());
    Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet")
        .addMapping("/");
    context.addServletContainerInitializer(new WsSci(), null);
    context.addServletContainerInitializer(
        (_, servlets) ->
            register(
                (ServerContainer)
                    servlets.getAttribute("jakarta.websocket.server.ServerContainer")),
        Set.of());
    tomcat.start();
  }

  private static Connector connector() {
    Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("useVirtualThreads", "true");
    connector.setProperty("maxConnections", "21000");
    connector.setProperty("acceptCount", "4096");
    connector.setProperty("socket.bufferPool", "0");
    return connector;
  }

  private void register(ServerContainer sockets) {
    sockets.setDefaultMaxTextMessageBufferSize(TEXT_BUFFER);
    sockets.setDefaultMaxSessionIdleTimeout(0);
    ServerEndpointConfig.Configurator configurator =
        new ServerEndpointConfig.Configurator() {
          @Override
          public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(new HallEndpoint(hall));
          }
        };
    try {
      sockets.addEndpoint(
          ServerEndpointConfig.Builder.create(HallEndpoint.class, "/chat/{roomId}")
              .configurator(configurator)
              .build());
    } catch (DeploymentException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where to connect, without the room. */
  public String url() {
    return "ws://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/chat";
  }

  String count() {
    return String.format(
        Locale.ROOT, "{\"deliveries\":%d,\"writes\":%d}", hall.deliveries(), hall.writes());
  }

  @Override
  public void close() throws LifecycleException, IOException {
    tomcat.stop();
    tomcat.destroy();
    hall.close();
    try (Stream<Path> files = Files.walk(base)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  /** Serves the variant named by the first argument until standard input ends. */
  public static void main(String[] arguments) throws IOException, LifecycleException {
    try (HallServer server = new HallServer(arguments[0]);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      System.out.println("{\"url\":\"" + server.url() + "\"}");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(server.count());
      }
    }
    System.exit(0); // a stopped Tomcat may leave a thread for a while
  }
}
