package dev.chatflow.consumer.audit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * The HTTP side of the standalone consumer: each request on a virtual thread, at most {@value
 * #MAX_REQUESTS} at once, more are answered 503.
 */
final class AuditHttp implements AutoCloseable {

  private static final int MAX_REQUESTS = 32;
  private static final int BACKLOG = 64;

  private final Answers answers;
  private final HttpServer server;
  private final Semaphore requests = new Semaphore(MAX_REQUESTS);
  private final ExecutorService executor =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("chat-http-", 0).factory());

  /**
   * Binds the port; {@link #start} begins to answer.
   *
   * @throws IOException when the address cannot be bound; the message names it
   */
  AuditHttp(Answers answers, InetSocketAddress address) throws IOException {
    this.answers = answers;
    try {
      this.server = HttpServer.create(address, BACKLOG);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on "
              + address.getHostString()
              + ":"
              + address.getPort()
              + ": "
              + e.getMessage(),
          e);
    }
    server.setExecutor(executor);
    server.createContext("/", this::handle);
  }

  void start() {
    server.start();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Answer answer(HttpExchange exchange) {
    if (!requests.tryAcquire()) {
      return answers.refused(
          Answers.UNAVAILABLE, "BUSY", "more than " + MAX_REQUESTS + " requests at once; repeat");
    }
    try {
      return answers.answer(
          exchange.getRequestMethod(),
          exchange.getRequestURI(),
          exchange.getRequestHeaders().getFirst("Accept"));
    } finally {
      requests.release();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
