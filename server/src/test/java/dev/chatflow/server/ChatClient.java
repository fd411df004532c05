package dev.chatflow.server;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A user's connection in a test: sends on request, queues received frames. */
public final class ChatClient implements WebSocket.Listener, AutoCloseable {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The end of a connection; code 1006 without a close frame. */
  public record Closed(int code, String reason) {}

  private final String user;
  private final String name;
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private String join = "";
  private final CompletableFuture<Closed> closed = new CompletableFuture<>();
  private final StringBuilder pieces = new StringBuilder();
  private final WebSocket socket;

  private ChatClient(URI uri, int user, Consumer<WebSocket.Builder> more) {
    this(uri, Integer.toString(user), "user" + user, more);
  }

  private ChatClient(URI uri, String user, String name, Consumer<WebSocket.Builder> more) {
    this.user = user;
    this.name = name;
    WebSocket.Builder builder = HTTP.newWebSocketBuilder().connectTimeout(PATIENCE);
    more.accept(builder);
    this.socket =
        builder.buildAsync(uri, this).orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  public static ChatClient connect(URI uri, int user) {
    return new ChatClient(uri, user, _ -> {});
  }

  /** Connects as a user whose id may not be a number. */
  static ChatClient connect(URI uri, String user, String name) {
    return new ChatClient(uri, user, name, _ -> {});
  }

  /** Connects with a token. */
  static ChatClient connect(URI uri, String user, String name, String token) {
    return new ChatClient(uri, user, name, bearing(token));
  }

  private static Consumer<WebSocket.Builder> bearing(String token) {
    return builder -> builder.header("Authorization", "Bearer " + token);
  }

  /** Connects as a program with a token. */
  static ChatClient connect(URI uri, int user, String token) {
    return new ChatClient(uri, user, bearing(token));
  }

  /** Connects as a page, which cannot set headers, and offers these subprotocols. */
  static ChatClient offering(URI uri, int user, String first, String... more) {
    return new ChatClient(uri, user, builder -> builder.subprotocols(first, more));
  }

  /** Returns the subprotocol that the server selected, or empty. */
  String subprotocol() {
    return socket.getSubprotocol();
  }

  /** Connects, joins and waits for its JOIN. */
  public static ChatClient joined(URI uri, int user) {
    ChatClient client = connect(uri, user);
    client.join("");
    client.awaitType("JOIN", user);
    return client;
  }

  /**
   * Sends a JOIN, and sends it again while the server cannot admit it: on a busy machine it takes
   * longer to read a log back than a JOIN may wait.
   *
   * @param fields more JSON fields, separated by commas
   */
  public void join(String fields) {
    String plain = frame("JOIN", "");
    join = plain.substring(0, plain.length() - 1) + (fields.isEmpty() ? "" : ",") + fields + "}";
    sendRaw(join);
  }

  public String frame(String type, String text) {
    return "{\"messageType\":\"%s\",\"userId\":\"%s\",\"username\":\"%s\",\"message\":\"%s\",\"timestamp\":\"2026-11-20T18:46:00.123Z\"}"
        .formatted(type, user, name, text);
  }

  public void send(String type, String text) {
    sendRaw(frame(type, text));
  }

  public void sendRaw(String frame) {
    socket.sendText(frame, true).orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  public void sendBinary(byte[] bytes) {
    socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
  }

  public void sendPart(String text, boolean last) {
    socket.sendText(text, last).join();
  }

  /** Returns the next frame. */
  public String next() {
    try {
      String frame = received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (frame == null) {
        throw new AssertionError(
            "user %s: nothing arrived within %s; the connection is %s"
                .formatted(user, PATIENCE, closed.isDone() ? closed.join() : "open"));
      }
      if (!join.isEmpty() && frame.contains("\"errorCode\":\"SERVICE_UNAVAILABLE\"")) {
        TimeUnit.MILLISECONDS.sleep(retryAfter(frame));
        sendRaw(join);
        return next();
      }
      return frame;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static long retryAfter(String error) {
    return JsonParser.parseString(error).getAsJsonObject().get("retryAfterMs").getAsLong();
  }

  public JsonObject nextJson() {
    return JsonParser.parseString(next()).getAsJsonObject();
  }

  /** Takes all received frames that were not read yet. */
  public List<String> received() {
    List<String> frames = new ArrayList<>();
    received.drainTo(frames);
    return frames;
  }

  /** Returns whether there are unread frames. */
  boolean hasReceived() {
    return !received.isEmpty();
  }

  /** Returns whether an unread frame is of this type and by this user. */
  boolean hasReceived(String type, int from) {
    List<String> fields =
        List.of("\"messageType\":\"" + type + "\"", "\"userId\":\"" + from + "\"");
    return received.stream().anyMatch(frame -> fields.stream().allMatch(frame::contains));
  }

  /** Skips frames until one of this type by this user. */
  public JsonObject awaitType(String type, int from) {
    return awaitType(type, Integer.toString(from));
  }

  /** Skips frames of a user whose id may not be a number. */
  JsonObject awaitType(String type, String from) {
    while (true) {
      JsonObject frame = nextJson();
      if (frame.has("messageType")
          && frame.get("messageType").getAsString().equals(type)
          && frame.get("userId").getAsString().equals(from)) {
        return frame;
      }
    }
  }

  public Closed awaitClosed() {
    return closed.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  public boolean isClosed() {
    return closed.isDone();
  }

  /** Drops the connection without a close frame. */
  public void vanish() {
    socket.abort();
  }

  @Override
  public void close() {
    if (!socket.isOutputClosed()) {
      socket
          .sendClose(WebSocket.NORMAL_CLOSURE, "")
          .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .exceptionally(_ -> socket)
          .join();
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    pieces.append(data);
    if (last) {
      String frame = pieces.toString();
      Wire.watched().frame(frame);
      received.add(frame);
      pieces.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    closed.complete(new Closed(code, reason));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    closed.complete(new Closed(1006, String.valueOf(failure.getMessage())));
  }
}
