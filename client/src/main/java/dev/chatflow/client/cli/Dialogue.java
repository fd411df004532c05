package dev.chatflow.client.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.verify.Timestamp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A connection for step-by-step use: send, then wait for frames. For small commands, not for load.
 *
 * <p>Belongs to one thread. Keeps at most 1,000 unread frames; older ones are dropped.
 */
final class Dialogue implements ConnectionEvents {
  private static final int MAX_UNREAD = 1000;
  private static final long POLL_NANOS = 5_000_000;

  private final Transport transport;
  private final Connection connection;
  private final Deque<String> unread = new ArrayDeque<>();
  private boolean open;
  private String ended = "";
  private int closeCode;

  /**
   * Connects at once.
   *
   * @param headers additional lines of the request, each with its line end
   */
  Dialogue(Transport transport, Target target, int server, String room, String headers) {
    this.transport = transport;
    URI sample = target.uriOfServer(target.serverOf(server), 1);
    String path = sample.getRawPath();
    URI uri = sample.resolve(path.substring(0, path.lastIndexOf('/') + 1) + room);
    InetSocketAddress address = new InetSocketAddress(uri.getHost(), Target.portOf(uri));
    connection = transport.connect(uri, address, headers, this);
  }

  /** Waits for the upgrade; returns false if it was rejected or late. */
  boolean opens(Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!open && ended.isEmpty() && System.nanoTime() < deadline) {
      transport.poll(POLL_NANOS);
    }
    return open;
  }

  void send(String text) {
    send(FrameBatch.OP_TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  void send(int opcode, byte[] payload) {
    FrameBatch batch = transport.batch();
    int at = batch.begin(opcode, payload.length);
    System.arraycopy(payload, 0, batch.bytes(), at, payload.length);
    batch.end();
    if (connection.isWritable()) {
      connection.write(batch);
    } else {
      batch.clear();
    }
  }

  /** Returns the next matching frame and drops earlier ones; empty if none arrived in time. */
  Optional<JsonObject> await(Predicate<JsonObject> expected, Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      for (String text = unread.poll(); text != null; text = unread.poll()) {
        JsonObject json = parse(text);
        if (expected.test(json)) {
          return Optional.of(json);
        }
      }
      if (!ended.isEmpty() || System.nanoTime() >= deadline) {
        return Optional.empty();
      }
      transport.poll(POLL_NANOS);
    }
  }

  /** Waits for the end of the connection; returns its close code, or 0 if it stays open. */
  int awaitClose(Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (ended.isEmpty() && System.nanoTime() < deadline) {
      transport.poll(POLL_NANOS);
    }
    return closeCode;
  }

  void close() {
    connection.close(1000);
  }

  void abort() {
    connection.abort();
  }

  /** Returns why the connection ended; empty while it is open. */
  String ended() {
    return ended;
  }

  /** Returns why no connection could be opened, and a hint. */
  String unopened() {
    return "no connection: " + ended + Target.hint(ended);
  }

  /** Creates a message of the protocol. */
  static JsonObject message(String type, String userId, String username, String text, String id) {
    JsonObject json = new JsonObject();
    json.addProperty("messageType", type);
    json.addProperty("userId", userId);
    json.addProperty("username", username);
    json.addProperty("message", text);
    json.addProperty("timestamp", Timestamp.text(System.currentTimeMillis()));
    json.addProperty("messageId", id);
    return json;
  }

  static String field(JsonObject json, String name) {
    return json.has(name) && json.get(name).isJsonPrimitive() ? json.get(name).getAsString() : "";
  }

  private static JsonObject parse(String text) {
    try {
      return JsonParser.parseString(text) instanceof JsonObject json ? json : new JsonObject();
    } catch (JsonParseException e) {
      return new JsonObject(); // matches nothing
    }
  }

  @Override
  public void opened() {
    open = true;
  }

  @Override
  public void refused(String reason) {
    ended = reason;
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    if (unread.size() == MAX_UNREAD) {
      unread.poll();
    }
    unread.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
  }

  @Override
  public void writable() {
    // no write is pending
  }

  @Override
  public void closed(int code, String reason) {
    closeCode = code;
    ended = code + " " + reason;
  }
}
