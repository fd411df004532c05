package dev.chatflow.client.fake;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves HTTP pages on a free loopback port. Paths without a page return 404. */
public final class FakePages implements AutoCloseable {
  private final Map<String, String> pages = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final HttpServer server;

  public FakePages() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          String page = pages.get(exchange.getRequestURI().getPath());
          byte[] body = String.valueOf(page).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(page == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  public FakePages put(String path, String body) {
    pages.put(path, body);
    return this;
  }

  public void remove(String path) {
    pages.remove(path);
  }

  /** Returns the number of requests for all pages. */
  public int requests() {
    return requests.get();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
