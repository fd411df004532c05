package dev.chatflow.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A port that answers short questions: each request on a virtual thread, at most {@value
 * #MAX_REQUESTS} at once, more are answered 503 BUSY. Pages of another origin are refused, 403.
 *
 * <p>Any thread may call.
 */
public final class HttpListener implements AutoCloseable {

  private static final int MAX_REQUESTS = 32;
  private static final int BACKLOG = 64;

  /** Who answers; called by many threads at once. */
  @FunctionalInterface
  public interface Answers {

    /** The answer to one request, which came from a program or from a page of the listener. */
    Answer answer(Request request);
  }

  private final Answers answers;
  private final HttpServer server;
  private final Semaphore requests = new Semaphore(MAX_REQUESTS);
  private final ExecutorService executor;

  /**
   * Binds the port; {@link #start} begins to answer.
   *
   * @param threadPrefix of the virtual threads' names
   * @throws IOException when the address cannot be bound; the message names it
   */
  public HttpListener(InetSocketAddress address, String threadPrefix, Answers answers)
      throws IOException {
    this.answers = answers;
    try {
      this.server = HttpServer.create(address, BACKLOG);
    } catch (IOException e) {
      String where = address.getHostString() + ":" + address.getPort();
      throw new IOException("cannot listen on " + where + ": " + e.getMessage(), e);
    }
    this.executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(threadPrefix, 0).factory());
    server.setExecutor(executor);
    server.createContext("/", this::handle);
  }

  public void start() {
    server.start();
  }

  /** Where it listens, also when a free port was asked for. */
  public InetSocketAddress address() {
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
      String text = "more than " + MAX_REQUESTS + " requests at once; repeat";
      return Answer.problem(HttpURLConnection.HTTP_UNAVAILABLE, "BUSY", text);
    }
    try {
      Headers headers = exchange.getRequestHeaders();
      String refusal =
          Callers.refusal(
              headers.getOrDefault("Origin", List.of()),
              headers.getFirst("Host"),
              address(),
              exchange.getLocalAddress());
      return refusal == null
          ? answers.answer(
              new Request(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  headers.getFirst("Accept"),
                  Callers.isLocal(exchange.getRemoteAddress(), exchange.getLocalAddress())))
          : Answer.forbidden(refusal);
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
