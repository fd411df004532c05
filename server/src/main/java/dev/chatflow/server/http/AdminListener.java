package dev.chatflow.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Metrics, readiness, health and drain on a port of their own, which answers while the main one is
 * saturated.
 *
 * <p>Each request runs on a virtual thread.
 */
public final class AdminListener implements AutoCloseable {

  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int BACKLOG = 64;

  private final Answers answers;
  private final Runnable drain;
  private final HttpServer server;
  private final ExecutorService requests =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("chat-admin-", 0).factory());

  /**
   * Binds the port.
   *
   * @param drain what {@code POST /drain} does; the answer is sent when it returns
   * @throws IOException when the address cannot be bound; the message names it
   */
  public AdminListener(Vitals vitals, InetAddress address, int port, Runnable drain)
      throws IOException {
    this.answers = new Answers(vitals);
    this.drain = drain;
    InetSocketAddress at = new InetSocketAddress(address, port);
    try {
      this.server = HttpServer.create(at, BACKLOG);
    } catch (IOException e) {
      throw new IOException("admin listener cannot use " + at + ": " + e.getMessage(), e);
    }
    server.setExecutor(requests);
    server.createContext("/", this::handle);
  }

  public void start() {
    server.start();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answers.Answer answer = answer(exchange);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answers.Answer answer(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    boolean post = exchange.getRequestMethod().equals("POST");
    if (path.equals("/drain") != post) {
      return answers.problem(
          METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "POST /drain; GET everything else");
    }
    return switch (path) {
      case "/metrics" -> answers.metrics(exchange.getRequestHeaders().getFirst("Accept"));
      case "/ready" -> answers.ready();
      case "/health" -> answers.health();
      case "/drain" -> drained();
      default -> answers.notFound("/metrics, /ready, /health and POST /drain");
    };
  }

  private Answers.Answer drained() {
    drain.run();
    return answers.health();
  }

  @Override
  public void close() {
    server.stop(0);
    requests.shutdownNow();
  }
}
