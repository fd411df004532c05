package dev.chatflow.lab.attack;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Strangers who pass for somebody else. */
final class Forgeries {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "forged-id",
              "posts another text under the id that a member will use next",
              Forgeries::forgedId),
          new Attack(
              "forged-address",
              "posts through a trusted proxy with an `X-Forwarded-For` of its own in each request",
              Forgeries::forgedAddress));

  private static final int POSTS = 40;
  private static final int PER_SECOND = 3;

  private Forgeries() {}

  static String forgedId(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
    String next = "p-17-n4-2";
    try (Wire victim = Wire.joined(port, "forged", 17);
        Wire witness = Wire.joined(port, "forged", 18)) {
      String forged = Wire.message("TEXT", 17, "forged", next);
      Wire.ask(port, Wire.request("POST", "/api/rooms/forged/messages", forged));
      victim.send(Wire.message("TEXT", 17, "real", next));
      victim.send(Wire.message("TEXT", 17, "after", "p-17-n4-3"));
      String seen = witness.await(text -> text.contains("\"real\"") || text.contains("\"after\""));
      return seen.contains("\"real\"") ? "" : "the member's own text is shown to nobody";
    }
  }

  static String forgedAddress(Arena arena) throws IOException {
    Arena.Server server =
        arena.server(
            Map.of(
                "CHATFLOW_RATE_LIMIT",
                Integer.toString(PER_SECOND),
                "CHATFLOW_TRUSTED_PROXIES",
                "127.0.0.1"));
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < POSTS; i++) {
      String id = "forged-address-" + i;
      requests.append(
          Wire.request(
              "POST",
              "/api/rooms/forged/messages",
              Wire.message("TEXT", 17, "hello", id),
              "X-Forwarded-For: 203.0.113." + i,
              "X-Forwarded-For: 198.51.100.7"));
    }
    int limited = 0;
    try (Wire wire = new Wire(server.port())) {
      wire.write(requests.toString());
      for (int i = 0; i < POSTS; i++) {
        limited += wire.answer().status() == 429 ? 1 : 0;
      }
    }
    return limited > 0 ? "" : "none of " + POSTS + " posts was limited to " + PER_SECOND + "/s";
  }
}
