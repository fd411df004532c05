package dev.chatflow.client.fake;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** One connection of the fake server. Its reader thread owns the state; any thread may send. */
final class FakeSession {
  private static final byte[] END = {};
  private static final String FIELDS =
      "\"errors\":{\"userId\":\"is wrong\",\"message\":\"is wrong\"},";

  private final FakeServer server;
  private final Socket socket;
  private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
  private int malformed;
  private @Nullable FakeRoom room;
  private @Nullable String joinedId;
  private String memberKey = "";
  private @Nullable String joinedName;

  FakeSession(FakeServer server, Socket socket) {
    this.server = server;
    this.socket = socket;
  }

  void send(String text) {
    outgoing.add(frame(0x1, text.getBytes(StandardCharsets.UTF_8)));
  }

  void close(int code, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    outgoing.add(
        frame(0x8, ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text).array()));
    outgoing.add(END);
  }

  void cut() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      outgoing.add(END);
    }
  }

  void read() {
    try (socket) {
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(socket.getInputStream(), 65536));
      if (upgrade(in)) {
        server.opened();
        Thread.ofVirtual().name("fake-writer").start(this::write);
        try {
          frames(in);
        } finally {
          server.closed();
        }
      }
    } catch (IOException e) {
      outgoing.add(END); // the client closed the connection
    } finally {
      vanish();
      server.ended(this);
      outgoing.add(END);
    }
  }

  private void write() {
    try {
      OutputStream out = socket.getOutputStream();
      List<byte[]> batch = new ArrayList<>();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
      while (true) {
        batch.add(outgoing.take());
        outgoing.drainTo(batch, 255);
        for (byte[] next : batch) {
          bytes.write(next, 0, next.length);
        }
        bytes.writeTo(out);
        bytes.reset();
        if (batch.stream().anyMatch(next -> next.length == 0)) {
          socket.shutdownOutput();
          return;
        }
        batch.clear();
      }
    } catch (IOException e) {
      cut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean upgrade(DataInputStream in) throws IOException {
    String path = "";
    String key = "";
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.startsWith("POST ")) {
        new FakePosts(server, socket).serve(line.split(" ", -1)[1], in);
        return false;
      }
      server.header(line);
      if (line.startsWith("GET ")) {
        path = line.split(" ", -1)[1];
      } else if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
        key = line.substring(line.indexOf(':') + 1).strip();
      }
    }
    if (!path.startsWith("/chat/")) {
      String body = "{\"status\":\"UP\",\"serverId\":\"fake\",\"version\":\"1\"}";
      String status = path.equals("/health") ? server.health() : "404 Not Found";
      answer(
          "HTTP/1.1 "
              + status
              + "\r\nConnection: close\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
      return false;
    }
    if (server.refusesUpgrade()) {
      answer("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
      return false;
    }
    String id = path.substring("/chat/".length());
    if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
      answer("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
      return false;
    }
    room = server.room(id);
    answer(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + accept(key)
            + "\r\n\r\n");
    return true;
  }

  private void answer(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private void frames(DataInputStream in) throws IOException {
    while (true) {
      int opcode = ClientFrames.opcode(in);
      byte[] payload = ClientFrames.payload(in);
      if (opcode == 0x8) {
        outgoing.add(frame(0x8, payload));
        outgoing.add(END);
        skipRest(in);
        return;
      }
      server.awaitStall();
      if (opcode == 0x1) {
        int refusal = payload.length > 8_192 ? 1009 : message(payload);
        if (refusal != 0) {
          close(refusal, "refused");
          skipRest(in);
          return;
        }
      } else if (opcode == 0x2) {
        close(1003, "text only");
        skipRest(in);
        return;
      }
    }
  }

  /** Reads to the end, because a reset for unread bytes could overtake the close frame. */
  private static void skipRest(DataInputStream in) throws IOException {
    byte[] bytes = new byte[8192];
    int read = 0;
    while (read >= 0) {
      read = in.read(bytes);
    }
  }

  /** Handles one message and returns the resulting close code, or 0. */
  private int message(byte[] payload) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
      JsonObject json = JsonParser.parseString(text).getAsJsonObject();
      malformed = 0;
      message(json);
      return 0;
    } catch (CharacterCodingException e) {
      return 1007;
    } catch (JsonParseException | IllegalStateException e) {
      error(400, "MALFORMED_JSON", "", "");
      return ++malformed == 20 ? 1008 : 0;
    }
  }

  private void message(JsonObject json) {
    String type = string(json, "messageType");
    String id = string(json, "messageId");
    String userId = string(json, "userId");
    String name = string(json, "username");
    if (!type.matches("TEXT|JOIN|LEAVE|SIGNAL")
        || !userId.matches("[1-9][0-9]{0,5}")
        || !name.matches("[A-Za-z0-9_-]{1,20}")
        || (json.has("history") && json.get("history").getAsInt() > 100)) {
      error(422, "VALIDATION_FAILED", id, FIELDS);
      return;
    }
    handle(type, userId, name, json, id);
  }

  private void handle(String type, String userId, String name, JsonObject json, String id) {
    FakeRoom where = room;
    if (where == null) {
      throw new IllegalStateException("a message before the upgrade");
    }
    String message = string(json, "message");
    String data = json.has("data") ? ",\"data\":" + json.get("data") : "";
    String frame =
        server.isTextOnly()
            ? textOnly(name, message)
            : broadcast(
                type, where.id(), userId, name, message, string(json, "timestamp"), id, data);
    if (type.equals("JOIN")) {
      if (joinedId != null) {
        error(409, "ALREADY_JOINED", id, "");
        return;
      }
      if (server.cutsJoin()) {
        cut();
        return;
      }
      joinedId = userId;
      memberKey = userId + "/" + string(json, "device");
      joinedName = name;
      where.join(this, memberKey, frame, json);
    } else if (joinedId == null) {
      error(409, "NOT_JOINED", id, "");
    } else if (!joinedId.equals(userId) || !name.equals(joinedName)) {
      error(422, "USER_MISMATCH", id, "");
    } else if (type.equals("LEAVE")) {
      joinedId = null;
      where.leave(memberKey, frame);
    } else if (type.equals("SIGNAL")) {
      where.signal(frame);
    } else if (message.isEmpty()) {
      error(422, "VALIDATION_FAILED", id, FIELDS);
    } else {
      server.received(message);
      where.text(this, userId, id, frame);
    }
  }

  private void vanish() {
    String id = joinedId;
    FakeRoom where = room;
    if (id != null && where != null && joinedName != null) {
      String now = now();
      String uuid = UUID.randomUUID().toString();
      where.vanished(
          this,
          memberKey,
          broadcast("LEAVE", where.id(), id, joinedName, "", now, uuid, ",\"synthetic\":true"));
    }
  }

  private void error(int status, String code, String id, String more) {
    String reference = id.isEmpty() ? "" : "\"messageId\":\"" + id + "\",";
    send(
        "{\"status\":"
            + status
            + ",\"errorCode\":\""
            + code
            + "\",\"error\":\"refused\","
            + more
            + reference
            + "\"serverTimestamp\":\""
            + now()
            + "\"}");
  }

  static String broadcast(
      String type,
      String room,
      String user,
      String name,
      String text,
      String time,
      String id,
      String more) {
    JsonObject json = new JsonObject();
    json.addProperty("messageType", type);
    json.addProperty("roomId", room);
    json.addProperty("userId", user);
    json.addProperty("username", name);
    json.addProperty("message", text);
    json.addProperty("timestamp", time);
    json.addProperty("messageId", id);
    json.addProperty("serverTimestamp", now());
    json.addProperty("serverId", "fake");
    json.addProperty("status", 200);
    String plain = json.toString();
    return plain.substring(0, plain.length() - 1) + more + "}";
  }

  /** Returns a frame in the style of another server: no type, no id, and the text twice. */
  private static String textOnly(String name, String text) {
    JsonObject data = new JsonObject();
    data.addProperty("message", text);
    JsonObject json = new JsonObject();
    json.addProperty("username", name);
    json.addProperty("receivedAt", now());
    json.addProperty("message", text);
    json.add("data", data);
    return json.toString();
  }

  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  static String string(JsonObject json, String name) {
    return json.has(name) && json.get(name).isJsonPrimitive() ? json.get(name).getAsString() : "";
  }

  private static byte[] frame(int opcode, byte[] payload) {
    int length = payload.length;
    ByteBuffer frame = ByteBuffer.allocate(length + 4).put((byte) (0x80 | opcode));
    if (length < 126) {
      frame.put((byte) length);
    } else {
      frame.put((byte) 126).putShort((short) length);
    }
    byte[] bytes = new byte[frame.put(payload).position()];
    frame.flip().get(bytes);
    return bytes;
  }

  private static String accept(String key) {
    try {
      byte[] text =
          (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
