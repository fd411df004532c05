package dev.chatflow.support;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP port for short requests. Each request runs on a virtual thread; at most {@value
 * #MAX_REQUESTS} are in progress until their responses are sent, and further ones get 503 BUSY. At
 * most 256 connections are open; more wait in the system's queue. The connection is closed if a
 * request is not complete after 10 s, or its response is not read after another 10 s. Pages of
 * another origin get 403. Uses TLS if there is a certificate, which is reloaded when its files
 * change.
 *
 * <p>Thread-safe.
 */
public final class HttpListener implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

  static final int MAX_REQUESTS = 32;

  /** The JDK's bounds, read when its server class is loaded; the command line may override them. */
  private static final Map<String, String> BOUNDS =
      Map.of(
          "jdk.httpserver.maxConnections", "256",
          "sun.net.httpserver.maxReqTime", "10", // seconds for head and body
          "sun.net.httpserver.maxReqHeaderSize", "16384");

  static {
    BOUNDS.forEach(System.getProperties()::putIfAbsent);
  }

  private static final Duration WRITE_DEADLINE = Duration.ofSeconds(10);
  private static final int BACKLOG = 64;

  /** Answers requests; called by many threads at once. */
  @FunctionalInterface
  public interface Answers {

    /** Returns the response to a request from a program or from a page of the listener. */
    Answer answer(Request request);
  }

  private final Answers answers;
  private final HttpServer server;
  private final Semaphore requests = new Semaphore(MAX_REQUESTS);
  private final ExecutorService executor;
  private final ScheduledThreadPoolExecutor deadlines;
  private final Duration writeDeadline;
  final @Nullable CertificateWatch certificate;
  private final RateLimitedLog failureLines =
      new RateLimitedLog(Duration.ofSeconds(10), System.nanoTime());

  /**
   * Binds the port; {@link #start} begins to answer.
   *
   * @param threadPrefix prefix of the virtual threads' names
   * @throws IOException if the address cannot be bound; the message names it
   */
  public HttpListener(InetSocketAddress address, String threadPrefix, Answers answers)
      throws IOException {
    this(address, threadPrefix, answers, null);
  }

  /**
   * Binds the port; {@link #start} begins to answer.
   *
   * @param threadPrefix prefix of the virtual threads' names
   * @param tls null for plain HTTP
   * @throws IOException if the address cannot be bound or the certificate cannot be used; the
   *     message names it
   */
  public HttpListener(
      InetSocketAddress address, String threadPrefix, Answers answers, @Nullable Tls tls)
      throws IOException {
    this(address, threadPrefix, answers, tls, WRITE_DEADLINE);
  }

  HttpListener(
      InetSocketAddress address,
      String threadPrefix,
      Answers answers,
      @Nullable Tls tls,
      Duration writeDeadline)
      throws IOException {
    this.answers = answers;
    this.writeDeadline = writeDeadline;
    if (tls == null) {
      this.server = bind(address, HttpServer::create);
      this.certificate = null;
    } else {
      CurrentCertificate key = new CurrentCertificate(tls);
      HttpsServer encrypted = bind(address, HttpsServer::create);
      encrypted.setHttpsConfigurator(new HttpsConfigurator(key.context()));
      this.server = encrypted;
      this.certificate = new CertificateWatch(tls.files(), key::readAgain);
    }
    this.executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(threadPrefix, 0).factory());
    this.deadlines =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofVirtual().name(threadPrefix + "deadline").factory());
    deadlines.setRemoveOnCancelPolicy(true);
    server.setExecutor(executor);
    server.createContext("/", this::handle);
  }

  public void start() {
    server.start();
    if (certificate != null) {
      long millis = CertificateWatch.PERIOD.toMillis();
      var _ = deadlines.scheduleWithFixedDelay(certificate, millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  private interface Binding<S> {
    S to(InetSocketAddress address, int backlog) throws IOException;
  }

  private static <S> S bind(InetSocketAddress address, Binding<S> binding) throws IOException {
    try {
      return binding.to(address, BACKLOG);
    } catch (IOException e) {
      String where = address.getHostString() + ":" + address.getPort();
      throw new IOException("cannot listen on " + where + ": " + e.getMessage(), e);
    }
  }

  /** Returns {@code https} or {@code http}. */
  public String scheme() {
    return certificate == null ? "http" : "https";
  }

  /** Returns the bound address, with the actual port if a free one was requested. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) throws IOException {
    boolean admitted = requests.tryAcquire();
    try (exchange) {
      write(admitted ? answer(exchange) : busy(), exchange);
    } finally {
      if (admitted) {
        requests.release();
      }
    }
  }

  private static Answer busy() {
    String text = "more than " + MAX_REQUESTS + " requests at once; repeat";
    return Answer.problem(HttpURLConnection.HTTP_UNAVAILABLE, "BUSY", text);
  }

  /** Writes a response. An interrupt closes the connection that a thread writes to. */
  private void write(Answer answer, HttpExchange exchange) throws IOException {
    Thread writer = Thread.currentThread();
    Future<?> deadline =
        deadlines.schedule(writer::interrupt, writeDeadline.toNanos(), TimeUnit.NANOSECONDS);
    try {
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      if (answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      }
      boolean bodiless = isHead(exchange) || body.length == 0;
      exchange.sendResponseHeaders(answer.status(), bodiless ? -1 : body.length);
      if (!bodiless) {
        exchange.getResponseBody().write(body);
      }
    } finally {
      deadline.cancel(false);
    }
  }

  private static boolean isHead(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("HEAD");
  }

  private Answer answer(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    String refusal =
        OriginCheck.refusal(
            headers.getOrDefault("Origin", List.of()),
            headers.getFirst("Host"),
            scheme(),
            address(),
            exchange.getLocalAddress());
    return refusal == null
        ? answer(
            new Request(
                isHead(exchange) ? "GET" : exchange.getRequestMethod(),
                exchange.getRequestURI(),
                headers.getFirst("Accept"),
                headers.getOrDefault("Authorization", List.of()),
                headers.containsKey("Origin"),
                OriginCheck.isLocal(exchange.getRemoteAddress(), exchange.getLocalAddress()),
                exchange.getRemoteAddress().getAddress().getHostAddress()))
        : Answer.forbidden(refusal);
  }

  private Answer answer(Request request) {
    try {
      return answers.answer(request);
    } catch (RuntimeException e) {
      long held = failureLines.take(System.nanoTime());
      if (held != RateLimitedLog.NOT_NOW) {
        log.error(
            "failed to answer {} {} ({} more since)", request.method(), request.uri(), held, e);
      }
      return Answer.problem(
          HttpURLConnection.HTTP_INTERNAL_ERROR,
          "INTERNAL_ERROR",
          "internal error: see the server's log");
    }
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
    deadlines.shutdownNow();
  }
}
