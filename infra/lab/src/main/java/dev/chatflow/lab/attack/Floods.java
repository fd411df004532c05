package dev.chatflow.lab.attack;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
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
              Floods::noise));

  private static final int ROUNDS = 1_000;
  private static final Duration PINGING = Duration.ofSeconds(5);
  private static final Map<String, String> LIMITED = Map.of("CHATFLOW_RATE_LIMIT", "3");

  private Floods() {}

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
