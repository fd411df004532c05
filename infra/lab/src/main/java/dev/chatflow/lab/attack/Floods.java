package dev.chatflow.lab.attack;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Strangers who want more than their share. */
final class Floods {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "frame-flood",
              "one connection sends JOIN and LEAVE 1,000 times where 3 messages a second are"
                  + " allowed",
              Floods::frameFlood),
          new Attack(
              "noise",
              "one connection sends what is refused, for ever: empty pieces, `{}`, TEXT without"
                  + " JOIN, 19 malformed messages and one `{}`; or pings",
              Floods::noise),
          new Attack(
              "read-flood",
              "one address reads a room's messages 200 times where 5 requests a second are allowed",
              Floods::readFlood),
          new Attack(
              "forged-flood",
              "one address sends 200 forged tokens where 5 requests a second are allowed",
              Floods::forgedFlood),
          new Attack(
              "half-requests",
              "300 connections to the admin port never end half a request",
              Floods::halfRequests));

  private static final int ROUNDS = 1_000;
  private static final Duration PINGING = Duration.ofSeconds(5);
  private static final Map<String, String> LIMITED = Map.of("CHATFLOW_RATE_LIMIT", "3");

  private static final int REQUESTS = 200;
  private static final int PER_CONNECTION = 50;

  /** More than 5 a second, and a second's worth, for as long as 200 requests may take. */
  private static final int MOST_SERVED = 100;

  private static final String FIVE = "5";
  private static final int HALVES = 300;
  private static final Duration HALVES_END = Duration.ofSeconds(60);

  private Floods() {}

  static String readFlood(Arena arena) throws IOException {
    int port = arena.server(Map.of("CHATFLOW_RATE_LIMIT", FIVE)).port();
    int read = REQUESTS - limited(port, Wire.request("GET", "/api/rooms/5/messages", ""));
    return read <= MOST_SERVED ? "" : read + " of " + REQUESTS + " reads answered";
  }

  static String forgedFlood(Arena arena) throws IOException, GeneralSecurityException {
    Map<String, String> settings = new HashMap<>(arena.forger().settings());
    settings.put("CHATFLOW_RATE_LIMIT", FIVE);
    int port = arena.server(settings).port();
    String forged =
        Forger.signed("{\"alg\":\"HS256\"}", Forger.claims("17", "5", 600), new byte[32]);
    int judged =
        REQUESTS - limited(port, Wire.request("GET", "/api/rooms/5", "", Forger.bearer(forged)));
    return judged <= MOST_SERVED ? "" : judged + " of " + REQUESTS + " signatures checked";
  }

  /** How many of the requests were one too many; a connection takes a hundred. */
  private static int limited(int port, String request) throws IOException {
    int limited = 0;
    for (int sent = 0; sent < REQUESTS; sent += PER_CONNECTION) {
      try (Wire wire = new Wire(port)) {
        for (int i = 0; i < PER_CONNECTION; i++) {
          wire.write(request);
          limited += wire.answer().status() == 429 ? 1 : 0;
        }
      }
    }
    return limited;
  }

  static String halfRequests(Arena arena) throws IOException {
    int port = arena.server(Map.of()).adminPort();
    List<Wire> halves = new ArrayList<>();
    try {
      for (int i = 0; i < HALVES; i++) {
        Wire half = new Wire(port);
        half.write("GET /hea");
        halves.add(half);
      }
      long end = System.nanoTime() + HALVES_END.toNanos();
      int open = 0;
      for (Wire half : halves) {
        open += half.isEndedBefore(end) ? 0 : 1;
      }
      int health = Wire.ask(port, Wire.request("GET", "/health", "")).status();
      return open == 0 && health == 200 ? "" : open + " stay open, /health answers " + health;
    } finally {
      for (Wire half : halves) {
        half.close();
      }
    }
  }

  static String frameFlood(Arena arena) throws IOException {
    Arena.Server server = arena.server(LIMITED);
    long before = server.stat("messagesPublished");
    try (Wire wire = Wire.open(server.port(), "flood")) {
      for (int i = 0; i < ROUNDS; i++) {
        boolean ended =
            wire.repeat(1, Wire.TEXT, Wire.message("JOIN", 17, "", "flood-j" + i))
                || wire.repeat(1, Wire.TEXT, Wire.message("LEAVE", 17, "", "flood-l" + i));
        if (ended) {
          break;
        }
      }
      wire.awaitClose();
    }
    long shown = server.stat("messagesPublished") - before;
    return shown < ROUNDS ? "" : shown + " messages shown";
  }

  static String noise(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
    List<String> got = new ArrayList<>();
    String stranger = Wire.message("TEXT", 17, "hello", "noise");
    tolerated(
        port,
        got,
        "empty pieces",
        wire -> {
          return wire.repeat(1, Wire.TEXT_BEGUN, "")
              || wire.repeat(10_000, Wire.CONTINUED, "")
              || wire.repeat(1, Wire.LAST, "");
        });
    tolerated(port, got, "{}", wire -> wire.repeat(1_000, Wire.TEXT, "{}"));
    tolerated(port, got, "TEXT without JOIN", wire -> wire.repeat(1_000, Wire.TEXT, stranger));
    tolerated(
        port,
        got,
        "19 malformed and one {}",
        wire -> {
          boolean ended = false;
          for (int i = 0; i < 50 && !ended; i++) {
            ended = wire.repeat(19, Wire.TEXT, "{") || wire.repeat(1, Wire.TEXT, "{}");
          }
          return ended;
        });
    int limited = arena.server(LIMITED).port();
    tolerated(limited, got, "1,000 times the pings that are allowed", Floods::pings);
    return String.join("; ", got);
  }

  /** Each hundred when the one before is answered; true when the server ended it. */
  private static boolean pings(Wire wire) throws IOException {
    long end = System.nanoTime() + PINGING.toNanos();
    for (int round = 0; System.nanoTime() - end < 0 || round < ROUNDS; round++) {
      if (wire.repeat(99, Wire.PING, "")) {
        return true;
      }
      try {
        wire.ping("round " + round);
      } catch (EOFException _) {
        return true;
      }
    }
    return false;
  }

  /** What is sent; true when the server did not take all. */
  private interface Sent {
    boolean on(Wire wire) throws IOException;
  }

  private static void tolerated(int port, List<String> got, String what, Sent sent)
      throws IOException {
    try (Wire wire = Wire.open(port, "noise")) {
      boolean ended = sent.on(wire);
      if (!ended && isOpen(wire)) {
        got.add(what + " for ever");
      }
    } catch (SocketException _) {
      // Ended as it deserves.
    }
  }

  /** Whether a JOIN is still answered. */
  private static boolean isOpen(Wire wire) throws IOException {
    try {
      wire.send(Wire.message("JOIN", 17, "", "noise-end"));
      wire.await(text -> text.contains("noise-end"));
      return true;
    } catch (EOFException _) {
      return false;
    }
  }
}
