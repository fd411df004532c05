package dev.chatflow.client.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.SeriesSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Serves a page with the current charts of a run on a free local port. The page requests its charts
 * once a second and the server draws them on request, so that an unused page costs nothing. It ends
 * with the run.
 *
 * <p>One thread calls {@link #add}; a separate thread serves pages.
 */
public final class Dashboard implements AutoCloseable {
  private static final String SCRIPT = Markup.resource(Dashboard.class, "live.js");

  private final HttpServer server;
  private final ExecutorService thread;
  private final String page;
  private final Supplier<List<Scrape>> scrapes;
  private final Course course = new Course();
  private volatile String state = "begins";

  private Dashboard(HttpServer server, String label, Supplier<List<Scrape>> scrapes) {
    this.server = server;
    this.scrapes = scrapes;
    page =
        new HtmlPage("ChatFlow load: " + label)
            .live("state", "run", "charts")
            .paragraph(
                "Log lag and CPU of the servers need --scrape. The report after the run has the"
                    + " check of every delivery.")
            .script(SCRIPT)
            .end();
    thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("dashboard-", 0).daemon().factory());
    server.setExecutor(thread);
    server.createContext("/", this::answer);
    server.start();
  }

  /**
   * Opens the page.
   *
   * @param scrapes samples of the servers' metrics pages so far; any thread may call it
   */
  public static Dashboard open(String label, Supplier<List<Scrape>> scrapes) {
    try {
      InetAddress here = InetAddress.getLoopbackAddress();
      return new Dashboard(HttpServer.create(new InetSocketAddress(here, 0), 0), label, scrapes);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "--dashboard cannot open a port: " + e);
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Adds an interval; {@code interval} is read only during the call. */
  public void add(Phase phase, long nanos, Progress progress, SeriesSet interval) {
    course.add(nanos / 1e9, progress, interval);
    state =
        String.format(
            Locale.ROOT,
            "%s, %.0f s, %,d connections, %,d messages sent, %,d copies delivered",
            phase.name().toLowerCase(Locale.ROOT),
            nanos / 1e9,
            progress.open(),
            progress.sent(),
            progress.delivered());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean known = path.equals("/") || path.equals("/now");
      String body = path.equals("/now") ? now() : known ? page : "not found; available: /";
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(known ? 200 : 404, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Returns the status in the first line, then the charts. */
  private String now() {
    return course.charts(scrapes.get()).stream()
        .filter(chart -> !chart.isEmpty())
        .map(Chart::svg)
        .collect(Collectors.joining("</figure><figure>", state + "\n<figure>", "</figure>"));
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
  }
}
