package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Checks the protocol step by step: every message type, every documented error and every close code
 * that a client can cause. Uses new users in a separate room, and only documented inputs.
 *
 * <p>Belongs to one thread.
 */
final class SmokeChecks {
  /** More bytes than any server accepts in a message. */
  private static final int TOO_LONG = 23_000;

  private static final String AWKWARD =
      "quotes \" \\ / <b>&'=</b> tab\t umlaut \u00e4 \u4f60 \ud83d\ude00";

  private static final JsonObject NOTHING = new JsonObject();

  /** A check, which returns an error or an empty text. */
  interface Check {
    String run() throws IOException;
  }

  private final Transport transport;
  private final Target target;
  private final String room;
  private final Duration patience;
  private final String headers;
  private int users = 90_000;

  /**
   * Creates the checks; they connect when they run.
   *
   * @param headers additional lines of every request, each with its line end
   */
  SmokeChecks(Transport transport, Target target, String room, Duration patience, String headers) {
    this.transport = transport;
    this.target = target;
    this.room = room;
    this.patience = patience;
    this.headers = headers;
  }

  Map<String, Check> checks() {
    Map<String, Check> checks = new LinkedHashMap<>();
    checks.put("JOIN, TEXT and LEAVE come back", this::life);
    checks.put("special characters are unchanged", this::awkwardText);
    checks.put("two users see each other", this::twoUsers);
    checks.put("a lost connection causes a LEAVE", this::syntheticLeave);
    checks.put("only the sender of a resend gets an answer", this::resend);
    checks.put("a returning member gets the messages it missed", this::resume);
    checks.put(
        "422 for a JOIN with a history above the limit",
        () -> refused(tooMuch(), 422, "VALIDATION_FAILED", false));
    checks.put("400 MALFORMED_JSON", () -> refused("{oops", 400, "MALFORMED_JSON", false));
    checks.put("422 VALIDATION_FAILED names all fields", this::validation);
    checks.put("409 NOT_JOINED for TEXT", () -> refused(text(1, "TEXT"), 409, "NOT_JOINED", false));
    checks.put(
        "409 NOT_JOINED for LEAVE", () -> refused(text(1, "LEAVE"), 409, "NOT_JOINED", false));
    checks.put("409 ALREADY_JOINED", () -> refused(text(1, "JOIN"), 409, "ALREADY_JOINED", true));
    checks.put("422 USER_MISMATCH", () -> refused(text(1, "TEXT"), 422, "USER_MISMATCH", true));
    checks.put("400 for an invalid room before the upgrade", this::badRoom);
    checks.put("1003 for a binary frame", () -> closes(FrameBatch.OP_BINARY, new byte[] {1}, 1003));
    checks.put(
        "1007 for invalid UTF-8", () -> closes(FrameBatch.OP_TEXT, new byte[] {(byte) 0xff}, 1007));
    checks.put(
        "1009 for a message that is too long",
        () -> closes(FrameBatch.OP_TEXT, new byte[TOO_LONG], 1009));
    checks.put("1008 after twenty malformed messages", this::manyMalformed);
    checks.put("4009 when the same user joins again", this::takeover);
    checks.put("the server answers a close frame", this::cleanClose);
    return checks;
  }

  private static boolean isError(JsonObject json) {
    return json.has("errorCode");
  }

  private String life() throws IOException {
    int user = next();
    Dialogue one = connect(0);
    String wrong =
        echo(one, user, "JOIN", "")
            + echo(one, user, "TEXT", "hello")
            + echo(one, user, "LEAVE", "");
    one.send(message(user, "TEXT", "late", "smoke-late").toString());
    boolean refused = sees(one, SmokeChecks::isError, patience);
    one.close();
    return wrong + (refused ? "" : "TEXT after LEAVE was not rejected; ");
  }

  private String awkwardText() throws IOException {
    int user = next();
    Dialogue one = connect(0);
    String wrong = echo(one, user, "JOIN", "") + echo(one, user, "TEXT", AWKWARD);
    one.close();
    return wrong;
  }

  private String twoUsers() throws IOException {
    int first = next();
    Dialogue one = connect(0);
    Dialogue two = connect(1);
    String wrong = echo(one, first, "JOIN", "") + echo(two, next(), "JOIN", "");
    one.send(message(first, "TEXT", "for you", "smoke-two").toString());
    boolean seen = sees(two, has("messageId", "smoke-two"), patience);
    one.close();
    two.close();
    return wrong + (seen ? "" : "the other user received nothing; ");
  }

  private String syntheticLeave() throws IOException {
    int first = next();
    int second = next();
    Dialogue one = connect(0);
    Dialogue two = connect(1);
    String wrong = echo(one, first, "JOIN", "") + echo(two, second, "JOIN", "");
    two.abort();
    String lost = Integer.toString(second);
    boolean seen = sees(one, has("synthetic", "true").and(has("userId", lost)), patience);
    one.close();
    return wrong + (seen ? "" : "no synthetic LEAVE arrived; ");
  }

  private String resend() throws IOException {
    int first = next();
    Dialogue one = connect(0);
    Dialogue two = connect(0);
    String wrong = echo(one, first, "JOIN", "") + echo(two, next(), "JOIN", "");
    String id = "smoke-resend-" + first;
    String text = message(first, "TEXT", "again", id).toString();
    one.send(text);
    boolean once = sees(one, has("messageId", id), patience);
    boolean other = sees(two, has("messageId", id), patience);
    one.send(text);
    boolean answered = sees(one, has("duplicate", "true").and(has("messageId", id)), patience);
    String end = "smoke-after-" + first;
    one.send(message(first, "TEXT", "after", end).toString());
    Predicate<JsonObject> again = has("messageId", id);
    JsonObject next = two.await(again.or(has("messageId", end)), patience).orElse(NOTHING);
    one.close();
    two.close();
    return wrong
        + (once && other ? "" : "the first copy did not arrive; ")
        + (answered ? "" : "no frame with \"duplicate\":true arrived; ")
        + (again.test(next) ? "the other member received it twice; " : "")
        + (next.isEmpty() ? "nothing arrived after it; " : "");
  }

  private String resume() throws IOException {
    int first = next();
    int second = next();
    Dialogue one = connect(0);
    Dialogue two = connect(1);
    String wrong = echo(one, first, "JOIN", "") + echo(two, second, "JOIN", "");
    one.send(message(first, "TEXT", "seen", "smoke-seen").toString());
    JsonObject last = two.await(has("messageId", "smoke-seen"), patience).orElse(NOTHING);
    two.abort();
    wrong += echo(one, first, "TEXT", "missed");
    Dialogue back = connect(0);
    JsonObject join = message(second, "JOIN", "", "smoke-back");
    join.add("after", last);
    back.send(join.toString());
    boolean named = back.await(_ -> true, patience).orElse(NOTHING).equals(last);
    boolean missed = sees(back, has("message", "missed"), patience);
    boolean joined = sees(back, has("messageId", "smoke-back"), patience);
    one.close();
    back.close();
    return wrong
        + (named ? "" : "the named frame was not the first; ")
        + (missed && joined ? "" : "missed messages did not arrive before its JOIN; ");
  }

  private static String tooMuch() {
    JsonObject join = message(1, "JOIN", "", "smoke-much");
    join.addProperty("history", 101);
    return join.toString();
  }

  private String validation() throws IOException {
    Dialogue one = connect(0);
    JsonObject wrong = message(1, "TEXT", "", "smoke-bad");
    wrong.addProperty("userId", "no user");
    one.send(wrong.toString());
    JsonObject error = one.await(SmokeChecks::isError, patience).orElse(NOTHING);
    one.close();
    boolean named =
        error.get("errors") instanceof JsonObject errors
            && errors.has("userId")
            && errors.has("message");
    return has("status", "422").test(error) && named ? "" : "answer was " + error;
  }

  private String refused(String frame, int status, String code, boolean joined) throws IOException {
    Dialogue one = connect(0);
    String wrong = joined ? echo(one, next(), "JOIN", "") : "";
    one.send(frame);
    JsonObject error = one.await(SmokeChecks::isError, patience).orElse(NOTHING);
    boolean stays = one.ended().isEmpty();
    one.close();
    boolean right = has("status", Integer.toString(status)).and(has("errorCode", code)).test(error);
    return wrong
        + (right ? "" : "answer was " + error)
        + (stays ? "" : " and the connection ended");
  }

  private String badRoom() throws IOException {
    Dialogue one = new Dialogue(transport, target, 0, "bad%20room", headers);
    boolean opened = one.opens(patience);
    return !opened && one.ended().contains(" 400")
        ? ""
        : "answer was " + (opened ? "101" : one.ended());
  }

  private String closes(int opcode, byte[] payload, int code) throws IOException {
    Dialogue one = connect(0);
    one.send(opcode, payload);
    int closed = one.awaitClose(patience);
    return closed == code ? "" : "closed with " + closed;
  }

  private String manyMalformed() throws IOException {
    Dialogue one = connect(0);
    for (int i = 0; i < 20; i++) {
      one.send("{");
    }
    int errors = 0;
    while (errors < 20 && sees(one, SmokeChecks::isError, patience)) {
      errors++;
    }
    int closed = one.awaitClose(patience);
    return errors == 20 && closed == 1008 ? "" : errors + " answers, closed with " + closed;
  }

  private String takeover() throws IOException {
    int user = next();
    Dialogue old = connect(0);
    Dialogue fresh = connect(1);
    String wrong = echo(old, user, "JOIN", "") + echo(fresh, user, "JOIN", "");
    int closed = old.awaitClose(patience);
    fresh.close();
    return closed == 4009 ? wrong : wrong + "the old connection closed with " + closed;
  }

  private String cleanClose() throws IOException {
    Dialogue one = connect(0);
    one.close();
    int closed = one.awaitClose(patience);
    return closed == 1000 ? "" : "closed with " + closed;
  }

  /** Sends a message and waits for the sender's copy with the same text. */
  private String echo(Dialogue one, int user, String type, String text) throws IOException {
    String id = "smoke-" + type + "-" + user + "-" + System.nanoTime();
    one.send(message(user, type, text, id).toString());
    Optional<JsonObject> echo = one.await(has("messageId", id), patience);
    if (echo.isEmpty()) {
      return type + " was not echoed; ";
    }
    boolean right =
        has("status", "200")
            .and(has("messageType", type))
            .and(has("userId", Integer.toString(user)))
            .and(has("message", text))
            .test(echo.get());
    return right ? "" : type + " was echoed as " + echo.get() + "; ";
  }

  private static boolean sees(Dialogue one, Predicate<JsonObject> expected, Duration patience)
      throws IOException {
    return one.await(expected, patience).isPresent();
  }

  private static Predicate<JsonObject> has(String field, String value) {
    return json -> Dialogue.field(json, field).equals(value);
  }

  private Dialogue connect(int server) throws IOException {
    Dialogue dialogue = new Dialogue(transport, target, server, room, headers);
    if (!dialogue.opens(patience)) {
      throw new IOException(dialogue.unopened());
    }
    return dialogue;
  }

  private int next() {
    return ++users;
  }

  private static String text(int user, String type) {
    return message(user, type, "x", "smoke-" + type).toString();
  }

  private static JsonObject message(int user, String type, String text, String id) {
    return Dialogue.message(type, Integer.toString(user), "smoke" + user, text, id);
  }
}
