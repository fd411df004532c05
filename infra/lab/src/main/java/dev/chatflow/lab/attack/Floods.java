package dev.chatflow.lab.attack;

import dev.chatflow.server.RawPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Attacks that use more than their share. */
final class Floods {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "frame-flood",
              "one connection sends JOIN and LEAVE 1,000 times although 3 messages a second are"
                  + " allowed",
              Floods::frameFlood),
          new Attack(
              "noise",
              "one connection sends rejected frames without end: empty fragments, `{}`, TEXT"
                  + " without JOIN, 19 malformed messages and one `{}`",
              Floods::noise),
          new Attack(
              "half-requests",
              "300 connections to the admin port never complete their request",
              Floods::halfRequests));

  private static final int TEXT = 0x81;
  private static final int TEXT_BEGUN = 0x01;
  private static final int CONTINUED = 0x00;
  private static final int LAST = 0x80;

  private static final int ROUNDS = 1_000;
  private static final int USER = 17;

  /** The id of a user who joins last. */
  private static final int LATECOMER = 4242;

  private static final int HALVES = 300;
  private static final Duration HALVES_END = Duration.ofSeconds(60);

  private Floods() {}

  static String halfRequests(Arena arena) throws IOException, InterruptedException {
    Arena.Server server = arena.server(Map.of());
    List<Socket> halves = new ArrayList<>();
    try {
      for (int i = 0; i < HALVES; i++) {
        Socket half = new Socket(InetAddress.getLoopbackAddress(), server.adminPort());
        halves.add(half);
        half.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
      }
      long end = System.nanoTime() + HALVES_END.toNanos();
      int open = 0;
      for (Socket half : halves) {
        open += isEndedBefore(half, end) ? 0 : 1;
      }
      int health = server.admin("/health").statusCode();
      return open == 0 && health == 200 ? "" : open + " stay open, /health answers " + health;
    } finally {
      for (Socket half : halves) {
        half.close();
      }
    }
  }

  private static boolean isEndedBefore(Socket socket, long endNanos) throws IOException {
    socket.setSoTimeout((int) Math.max(1, (endNanos - System.nanoTime()) / 1_000_000));
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (SocketException _) {
      return true; // reset
    }
  }

  static String frameFlood(Arena arena) throws IOException, InterruptedException {
    Arena.Server server = arena.server(Map.of("CHATFLOW_RATE_LIMIT", "3"));
    long before = server.stat("messagesPublished");
    try (RawPeer peer = new RawPeer(server.port(), "flood", 0)) {
      for (int i = 0; i < ROUNDS; i++) {
        peer.send("JOIN", USER, "");
        peer.send("LEAVE", USER, "");
      }
      peer.awaitText("never said"); // reads until the connection ends
    } catch (SocketException | SocketTimeoutException _) {
      // closed by the server, or all frames are answered
    }
    long shown = server.stat("messagesPublished") - before;
    return shown < ROUNDS ? "" : shown + " messages shown";
  }

  static String noise(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
    List<String> got = new ArrayList<>();
    tolerated(
        port,
        got,
        "empty pieces",
        peer -> {
          peer.repeat(1, TEXT_BEGUN, "");
          peer.repeat(10_000, CONTINUED, "");
          peer.repeat(1, LAST, "");
        });
    tolerated(port, got, "{}", peer -> peer.repeat(ROUNDS, TEXT, "{}"));
    tolerated(
        port,
        got,
        "TEXT without JOIN",
        peer -> {
          for (int i = 0; i < ROUNDS; i++) {
            peer.send("TEXT", USER, "hello");
          }
        });
    tolerated(
        port,
        got,
        "19 malformed and one {}",
        peer -> {
          for (int i = 0; i < 50; i++) {
            peer.repeat(19, TEXT, "{");
            peer.repeat(1, TEXT, "{}");
          }
        });
    return String.join("; ", got);
  }

  /** Sends noise; fails if the server does not accept all of it. */
  private interface Sent {
    void on(RawPeer peer) throws IOException;
  }

  private static void tolerated(int port, List<String> got, String what, Sent sent)
      throws IOException {
    try (RawPeer peer = new RawPeer(port, "noise", 0)) {
      sent.on(peer);
      peer.send("JOIN", LATECOMER, "");
      if (peer.awaitText("\"userId\":\"" + LATECOMER)) {
        got.add(what + " for ever");
      }
    } catch (SocketException _) {
      // closed by the server
    }
  }
}
