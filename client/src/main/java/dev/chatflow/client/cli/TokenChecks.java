package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.Tokens;
import dev.chatflow.client.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checks the errors and close codes of a server that requires tokens. Uses a separate room.
 *
 * <p>Belongs to one thread.
 */
final class TokenChecks {
  private static final Duration LONG_AGO = Duration.ofDays(-1);
  private static final int USER = 99_001;
  private static final int OTHER = 99_002;
  private static final int FLOOD = 100;
  private static final long POLL_NANOS = 5_000_000;

  private final Transport transport;
  private final Target target;
  private final String room;
  private final Duration patience;
  private final Tokens tokens;

  TokenChecks(Transport transport, Target target, String room, Duration patience, Tokens tokens) {
    this.transport = transport;
    this.target = target;
    this.room = room;
    this.patience = patience;
    this.tokens = tokens;
  }

  Map<String, SmokeChecks.Check> checks() {
    Map<String, SmokeChecks.Check> checks = new LinkedHashMap<>();
    String own = token(tokens, USER, room);
    checks.put("4001 without a token", () -> closes("", 4001));
    checks.put("4001 for an unsigned token", () -> closes(unsigned(own), 4001));
    checks.put(
        "4001 for a token of another room", () -> closes(token(tokens, USER, "other"), 4001));
    checks.put(
        "4002 for a token that has expired",
        () -> closes(token(new Tokens(tokens.key(), LONG_AGO), USER, room), 4002));
    checks.put("403 FORBIDDEN for a JOIN as another user, then 4001", () -> joinsAsOther(own));
    checks.put("401 for a post without a token", () -> posts("", USER, room, 401));
    checks.put("403 for a post as another user", () -> posts(own, OTHER, room, 403));
    checks.put("403 for a post to another room", () -> posts(own, USER, "other", 403));
    checks.put("201 for a post with the user's token", () -> posts(own, USER, room, 201));
    checks.put("429 with Retry-After above a rate, if one is set", () -> floods(own));
    return checks;
  }

  private static String token(Tokens maker, int user, String room) {
    return Tokens.header(maker.of(Integer.toString(user), "", room));
  }

  private static String unsigned(String header) {
    return header.substring(0, header.lastIndexOf('.') + 1) + "c2lnbmF0dXJl\r\n";
  }

  private String closes(String header, int code) throws IOException {
    Dialogue one = new Dialogue(transport, target, 0, room, header);
    if (!one.opens(patience)) {
      return one.unopened();
    }
    int closed = one.awaitClose(patience);
    one.abort();
    return closed == code ? "" : "closed with " + closed;
  }

  private String joinsAsOther(String header) throws IOException {
    Dialogue one = new Dialogue(transport, target, 0, room, header);
    if (!one.opens(patience)) {
      return one.unopened();
    }
    one.send(message("JOIN", OTHER).toString());
    JsonObject answer = one.await(json -> json.has("errorCode"), patience).orElse(new JsonObject());
    boolean right =
        Dialogue.field(answer, "status").equals("403")
            && Dialogue.field(answer, "errorCode").equals("FORBIDDEN");
    int closed = one.awaitClose(patience);
    one.abort();
    return (right ? "" : "answer was " + answer + "; ")
        + (closed == 4001 ? "" : "closed with " + closed);
  }

  private String posts(String header, int user, String to, int status) throws IOException {
    Answer answer = post(header, user, to);
    return answer.result.equals("HTTP " + status) ? "" : "answer was " + answer.result;
  }

  private String floods(String header) throws IOException {
    for (int i = 0; i < FLOOD; i++) {
      Answer answer = post(header, USER, room);
      if (answer.result.equals("HTTP 429")) {
        return answer.retryAfterMillis > 0 ? "" : "429 has no Retry-After";
      }
      if (!answer.result.equals("HTTP 201")) {
        return "answer was " + answer.result;
      }
    }
    return "";
  }

  private Answer post(String header, int user, String to) throws IOException {
    URI uri = target.pageOf(0, "/api/rooms/" + to + "/messages");
    InetSocketAddress address = new InetSocketAddress(uri.getHost(), portOf(uri));
    Answer answer = new Answer();
    HttpChannel channel = transport.http(uri, address, answer);
    JsonObject text = message("TEXT", user);
    channel.post(
        text.toString().getBytes(StandardCharsets.UTF_8),
        Dialogue.field(text, "messageId"),
        header);
    long deadline = System.nanoTime() + patience.toNanos();
    while (answer.result.isEmpty() && System.nanoTime() < deadline) {
      transport.poll(POLL_NANOS);
    }
    channel.abort();
    return answer;
  }

  private static int portOf(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
  }

  private static JsonObject message(String type, int user) {
    String id = "smoke-token-" + type + "-" + user + "-" + System.nanoTime();
    return Dialogue.message(type, Integer.toString(user), "smoke" + user, "x", id);
  }

  /** The outcome of a post. */
  private static final class Answer implements HttpChannel.Events {
    private String result = "";
    private long retryAfterMillis;

    @Override
    public void answered(int status, long millis) {
      result = "HTTP " + status;
      retryAfterMillis = millis;
    }

    @Override
    public void failed(String reason) {
      result = reason;
    }
  }
}
