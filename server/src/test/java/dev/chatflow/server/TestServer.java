package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.chatflow.support.ConfigSource;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A whole server on a free loopback port: Tomcat in this JVM, configured by a map. */
public final class TestServer implements AutoCloseable {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** The files of the web application; its descriptor is not read, see {@link #install}. */
  private static final Path WEB_ROOT = Path.of("src", "main", "webapp");

  /** An hour in the past: a test fails if a server takes its boot epoch for the present time. */
  private static final AtomicLong LAST_BOOT =
      new AtomicLong(System.currentTimeMillis() - Duration.ofHours(1).toMillis());

  private final Tomcat tomcat = new Tomcat();
  private final Context context;
  private final String id;
  private final Path base;

  private TestServer(String path, URI broker, String id, Map<String, String> settings)
      throws IOException, LifecycleException {
    this.id = id;
    base = Files.createTempDirectory("chatflow-test-");
    tomcat.setBaseDir(base.toString());
    Connector connector = new Connector();
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("useVirtualThreads", "true");
    connector.setProperty("socket.bufferPool", "0");
    connector.setPort(0);
    tomcat.setConnector(connector);
    context = tomcat.addContext(path, WEB_ROOT.toAbsolutePath().toString());
    Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet")
        .addMapping("/");
    context.addServletContainerInitializer(new WsSci(), null);
    Map<String, String> environment = new HashMap<>(Map.of("CHATFLOW_ADMIN_PORT", "0"));
    environment.put("CHATFLOW_AMQP_URI", broker.toString());
    environment.put("CHATFLOW_SERVER_ID", id);
    environment.putAll(settings);
    ServerLifecycle.Source source =
        () ->
            ServerConfig.of(
                new ConfigSource(Map.of(), Map.of(), environment, Map.of()),
                LAST_BOOT.incrementAndGet(),
                2);
    ServerLifecycle lifecycle = new ServerLifecycle(source);
    context.addServletContainerInitializer((_, servlets) -> install(lifecycle, servlets), Set.of());
    try {
      tomcat.start();
    } catch (LifecycleException e) {
      if (startFailure() == null) {
        throw e;
      }
    }
  }

  /**
   * Registers the listener through an initializer, because a listener added by code may not
   * register filters.
   */
  private static void install(ServerLifecycle lifecycle, ServletContext servlets) {
    lifecycle.contextInitialized(new ServletContextEvent(servlets));
    servlets.addListener(
        new ServletContextListener() {
          @Override
          public void contextDestroyed(ServletContextEvent event) {
            lifecycle.contextDestroyed(event);
          }
        });
  }

  /** Starts a server that may still be waiting for its broker, or whose application failed. */
  public static TestServer launch(URI broker, String id, Map<String, String> settings)
      throws IOException, LifecycleException {
    return new TestServer("", broker, id, settings);
  }

  /** Starts a server and waits until it is ready. */
  public static TestServer start(URI broker, String id, Map<String, String> settings)
      throws IOException, LifecycleException {
    return launch(broker, id, settings).awaitStarted();
  }

  /**
   * Starts a server under a context path, such as {@code /team/chat}, and waits until it is ready.
   */
  public static TestServer startUnder(String path, URI broker, String id)
      throws IOException, LifecycleException {
    return new TestServer(path, broker, id, Map.of()).awaitStarted();
  }

  private TestServer awaitStarted() {
    if (!isApplicationUp()) {
      throw new IllegalStateException("server " + id + " did not start: " + startFailure());
    }
    return awaitReady();
  }

  public static TestServer start(URI broker, String id) throws IOException, LifecycleException {
    return start(broker, id, Map.of());
  }

  public TestServer awaitReady() {
    Awaitility.await("server " + id + " ready")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          HttpResponse<String> answer = get("/ready");
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        });
    return this;
  }

  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  public URI chat(String room) {
    return URI.create("ws://127.0.0.1:" + port() + context.getPath() + "/chat/" + room);
  }

  /** Returns a figure of {@code /api/stats}. */
  public long stat(String name) throws IOException {
    return JsonParser.parseString(get("/api/stats").body()).getAsJsonObject().get(name).getAsLong();
  }

  /** Sends a GET; {@code headers} are names and values in turn. */
  public HttpResponse<String> get(String path, String... headers) throws IOException {
    HttpRequest.Builder request = request(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return seen(path, send(request.build()));
  }

  /** Sends a DELETE; {@code headers} are names and values in turn. */
  HttpResponse<String> delete(String path, String... headers) throws IOException {
    return seen(path, send(request(path).headers(headers).DELETE().build()));
  }

  /** Sends a PUT; {@code headers} are names and values in turn. */
  HttpResponse<String> put(String path, String body, String... headers) throws IOException {
    HttpRequest.BodyPublisher content = HttpRequest.BodyPublishers.ofString(body);
    return seen(path, send(request(path).headers(headers).PUT(content).build()));
  }

  /** Sends a request to the admin listener; {@code headers} are names and values in turn. */
  HttpResponse<String> admin(String method, String path, String... headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(admin(path)).method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** Returns an address of the admin listener. */
  URI admin(String path) {
    Object port = context.getServletContext().getAttribute(ServerLifecycle.ADMIN_PORT);
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Posts to a room; {@code headers} are names and values in turn. */
  public HttpResponse<String> post(String room, String body, String... headers) throws IOException {
    return seen("/api/rooms/" + room + "/messages", send(postTo(room, body, headers)));
  }

  private static HttpResponse<String> seen(String path, HttpResponse<String> answer) {
    if (answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json")) {
      Wire.watched().answer(answer.request().method(), path, answer.statusCode(), answer.body());
    }
    return answer;
  }

  /** Returns the request of {@link #post}, to send it often. */
  public HttpRequest postTo(String room, String body, String... headers) {
    HttpRequest.Builder request = request("/api/rooms/" + room + "/messages");
    if (headers.length > 0) {
      request.headers(headers);
    }
    request.POST(HttpRequest.BodyPublishers.ofString(body));
    return List.of(headers).contains("Content-Type")
        ? request.build()
        : request.header("Content-Type", "application/json").build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + port() + context.getPath() + path))
        .timeout(Duration.ofMinutes(1));
  }

  private static HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Returns why the application failed to start, or null. */
  public @Nullable String startFailure() {
    Object failure = context.getServletContext().getAttribute(ServerLifecycle.START_FAILURE);
    return failure == null ? null : failure.toString();
  }

  public boolean isApplicationUp() {
    return context.getState() == LifecycleState.STARTED;
  }

  /** Stops like the container: the application drains first. */
  @Override
  public void close() throws LifecycleException, IOException {
    tomcat.stop();
    tomcat.destroy();
    try (Stream<Path> files = Files.walk(base)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
