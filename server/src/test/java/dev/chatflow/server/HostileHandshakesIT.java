package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Upgrade requests with a few errors, chosen by seeds. */
class HostileHandshakesIT {

  private static final int REQUESTS = 1_000;
  private static final int MOST_LOG_RECORDS = 50;
  private static final int PATIENCE_MILLIS = 60_000; // only ends a hang

  private static final List<String> METHODS =
      List.of(
          "GET", "GET", "GET", "GET", "POST", "HEAD", "OPTIONS", "TRACE", "get", "G\u00e9T", "");
  private static final List<String> PATHS =
      List.of(
          "/chat/5",
          "/chat/5",
          "/chat/5",
          "/chat/",
          "/chat",
          "/chat/5/",
          "/chat/5;x=y",
          "/chat/%35",
          "/chat/%2e%2e/5",
          "/chat/../chat/5",
          "//chat/5",
          "/chat/5?token=x&token=y",
          "/chat/%00",
          "/chat/a b",
          "/chat/" + "x".repeat(65),
          "/api/rooms/5/messages",
          "http://elsewhere.example/chat/5",
          "*");
  private static final List<String> VALUES =
      List.of(
          "",
          "websocket",
          "WebSocket",
          "Upgrade",
          "keep-alive, Upgrade",
          "13",
          "8",
          "-1",
          "dGhlIHNhbXBsZSBub25jZQ==",
          "AAAA",
          "localhost",
          "localhost:1:2",
          "[::1",
          "evil.example",
          "null",
          "https://evil.example",
          "://",
          "chatflow.v1",
          "chatflow.v1, token.a.b.c",
          "token.,,token.",
          ",".repeat(500),
          "token." + "A".repeat(3_000),
          "chatflow.v1,chatflow.v1,\"",
          "Bearer ",
          "bearer a.b.c",
          "Basic Og==",
          "999.999.999.999",
          "1.2.3.4, ::ffff:1.2.3.4, unknown",
          "permessage-deflate; client_max_window_bits=99",
          "permessage-deflate; x=\"",
          "chunked",
          "5",
          "\u00ff\u0001",
          "100-continue");
  private static final List<String> NAMES =
      List.of(
          "Host",
          "Upgrade",
          "Connection",
          "Sec-WebSocket-Key",
          "Sec-WebSocket-Version",
          "Sec-WebSocket-Protocol",
          "Sec-WebSocket-Extensions",
          "Origin",
          "Authorization",
          "X-Forwarded-For",
          "X-Forwarded-Proto",
          "X-Forwarded-Port",
          "Transfer-Encoding",
          "Content-Length",
          "Expect",
          "Cookie");

  /** Counts the container's log records. */
  private static final class Counted extends Handler {
    final AtomicInteger records = new AtomicInteger();

    @Override
    public void publish(LogRecord record) {
      records.addAndGet(record.getLevel().intValue() >= Level.INFO.intValue() ? 1 : 0);
    }

    @Override
    public void flush() {
      // keeps nothing
    }

    @Override
    public void close() {
      // has nothing open
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {20_261_124, 17, 4_711})
  void wrongRequestsAreRefusedAndLeaveNothingBehind(long seed) throws Exception {
    Counted log = new Counted();
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      Logger.getLogger("").addHandler(log);
      Random random = new Random(seed);
      int upgraded = 0;
      for (int i = 0; i < REQUESTS; i++) {
        String request = request(random);
        int status = status(server.port(), request, random.nextInt(10) == 0);
        assertThat(status).as("request %s of seed %s: %s", i, seed, request).isNotEqualTo(500);
        upgraded += status == 101 ? 1 : 0;
      }
      assertThat(upgraded).as("some are right").isPositive();
      Awaitility.await("connections gone")
          .atMost(Duration.ofMinutes(2))
          .until(() -> server.stat("connections") == 0);
      assertThat(log.records).hasValueLessThan(MOST_LOG_RECORDS);
      try (ChatClient member = ChatClient.joined(server.chat("5"), 1)) {
        assertThat(member.isClosed()).isFalse();
      }
    } finally {
      Logger.getLogger("").removeHandler(log);
    }
  }

  /** Returns a request with up to three errors. */
  private static String request(Random random) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "Host: localhost",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13"));
    String method = "GET";
    String path = "/chat/5";
    for (int change = random.nextInt(4); change > 0; change--) {
      switch (random.nextInt(6)) {
        case 0 -> method = one(METHODS, random);
        case 1 -> path = one(PATHS, random);
        case 2 -> lines.remove(random.nextInt(lines.size()));
        case 3 -> lines.add(one(lines, random));
        case 4 -> Collections.shuffle(lines, random);
        default -> lines.add(one(NAMES, random) + ": " + one(VALUES, random));
      }
      if (lines.isEmpty()) {
        lines.add("Host: localhost");
      }
    }
    return method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\n\r\n";
  }

  private static String one(List<String> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  /**
   * Sends a request, or half of it, and nothing after it.
   *
   * @return the status of the response, 0 if the connection ended without one
   */
  private static int status(int port, String request, boolean half) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
      socket.getOutputStream().write(bytes, 0, half ? bytes.length / 2 : bytes.length);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      String start = new String(in.readNBytes(12), StandardCharsets.ISO_8859_1);
      return start.startsWith("HTTP/1.1 ") ? Integer.parseInt(start.substring(9)) : 0;
    } catch (SocketException _) {
      return 0;
    }
  }
}
