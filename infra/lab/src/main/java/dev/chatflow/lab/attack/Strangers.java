package dev.chatflow.lab.attack;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Strangers at a server that asks for tokens. */
final class Strangers {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "another-user",
              "joins and posts as a user who is there, with no token and with one of another user",
              Strangers::anotherUser),
          new Attack(
              "another-room", "enters a room that its token does not name", Strangers::anotherRoom),
          new Attack(
              "forged-token",
              "shows tokens that nobody signed, signed with another key or the public one, changed,"
                  + " expired, without an end, without rooms",
              Strangers::forgedToken),
          new Attack(
              "token-in-address",
              "puts a good token where logs keep it",
              Strangers::tokenInAddress),
          new Attack(
              "spying",
              "asks for rooms, members, messages and statistics without a token",
              Strangers::spying));

  private static final String ROOM = "private";
  private static final int VICTIM = 17;
  private static final int STRANGER = 18;

  private Strangers() {}

  static String anotherUser(Arena arena) throws IOException, GeneralSecurityException {
    Forger forger = arena.forger();
    int port = arena.asking().port();
    List<String> got = new ArrayList<>();
    try (Wire victim = Wire.open(port, ROOM, forger.line(VICTIM, ROOM))) {
      victim.join(VICTIM);
      for (String[] lines : List.of(new String[0], new String[] {forger.line(STRANGER, ROOM)})) {
        String who = lines.length == 0 ? "without a token" : "with the token of " + STRANGER;
        if (joins(port, ROOM, lines)) {
          got.add("JOIN " + who);
        }
        String text = Wire.message("TEXT", VICTIM, "forged", "forged-" + lines.length);
        String post = Wire.request("POST", "/api/rooms/" + ROOM + "/messages", text, lines);
        int status = Wire.ask(port, post).status();
        if (status != 401 && status != 403) {
          got.add("POST " + who + ": " + status);
        }
      }
      victim.send(Wire.message("TEXT", VICTIM, "still here", "real"));
      victim.await(text -> text.contains("still here"));
    } catch (EOFException e) {
      got.add("the user himself is " + e.getMessage());
    }
    return String.join("; ", got);
  }

  /** Whether somebody becomes the victim. */
  private static boolean joins(int port, String room, String... lines) throws IOException {
    try (Wire wire = Wire.open(port, room, lines)) {
      wire.join(VICTIM);
      return true;
    } catch (EOFException _) {
      return false;
    }
  }

  static String anotherRoom(Arena arena) throws IOException, GeneralSecurityException {
    String line = arena.forger().line(VICTIM, ROOM);
    int port = arena.asking().port();
    String text = Wire.message("TEXT", VICTIM, "hello", "another-room");
    int posted =
        Wire.ask(port, Wire.request("POST", "/api/rooms/other/messages", text, line)).status();
    int read = Wire.ask(port, Wire.request("GET", "/api/rooms/other/messages", "", line)).status();
    boolean joined = joins(port, "other", line);
    return !joined && posted == 403 && read == 403
        ? ""
        : "JOIN " + joined + ", POST " + posted + ", GET " + read;
  }

  static String forgedToken(Arena arena) throws IOException, GeneralSecurityException {
    Forger forger = arena.forger();
    String good = Forger.claims("17", ROOM, 600);
    String other = Forger.claims("17", ROOM, 601);
    String signed = forger.good(good);
    String signature = signed.substring(signed.lastIndexOf('.'));
    String head = signed.substring(0, signed.indexOf('.') + 1);
    byte[] key = "another-another-another-another-another".getBytes(StandardCharsets.US_ASCII);
    Map<String, String> tokens = new LinkedHashMap<>();
    tokens.put("alg none", Forger.encoded("{\"alg\":\"none\"}") + "." + Forger.encoded(good) + ".");
    tokens.put("no signature", signed.substring(0, signed.lastIndexOf('.') + 1));
    tokens.put("another's key", Forger.signed("{\"alg\":\"HS256\"}", good, key));
    tokens.put("the public key", forger.withPublicKey(good));
    tokens.put("another algorithm", Forger.signed("{\"alg\":\"RS256\"}", good, key));
    tokens.put("claims changed", head + Forger.encoded(other) + signature);
    tokens.put("expired", forger.good(Forger.claims("17", ROOM, -600)));
    tokens.put("no end", forger.good("{\"sub\":\"17\",\"rooms\":[\"*\"]}"));
    tokens.put("no rooms", forger.good("{\"sub\":\"17\",\"exp\":9999999999}"));
    tokens.put("no user", forger.good("{\"rooms\":[\"*\"],\"exp\":9999999999}"));
    int port = arena.asking().port();
    List<String> got = new ArrayList<>();
    for (Map.Entry<String, String> token : tokens.entrySet()) {
      if (joins(port, ROOM, Forger.bearer(token.getValue()))
          || joins(port, ROOM, "Sec-WebSocket-Protocol: chatflow.v1, token." + token.getValue())) {
        got.add(token.getKey());
      }
    }
    return String.join(", ", got);
  }

  static String tokenInAddress(Arena arena) throws IOException, GeneralSecurityException {
    String token = arena.forger().good(Forger.claims("17", ROOM, 600));
    int port = arena.asking().port();
    boolean joined = joins(port, ROOM + "?token=" + token + "&access_token=" + token);
    return joined ? "an address with a token is let in" : "";
  }

  static String spying(Arena arena) throws IOException, GeneralSecurityException {
    int port = arena.asking().port();
    List<String> got = new ArrayList<>();
    try (Wire member = Wire.open(port, ROOM, arena.forger().line(VICTIM, ROOM))) {
      member.join(VICTIM);
      for (String path :
          List.of(
              "/api/rooms",
              "/api/rooms/" + ROOM,
              "/api/rooms/" + ROOM + "/messages?last=10",
              "/api/stats",
              "/metrics")) {
        int status = Wire.ask(port, Wire.request("GET", path, "")).status();
        if (status < 400) {
          got.add(path + ": " + status);
        }
      }
    }
    return String.join(", ", got);
  }
}
