package dev.chatflow.server.publish;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Messages for tests. */
final class Lines {

  static final String CLIENT_TIME = "2026-11-20T18:46:00.123Z";

  private Lines() {}

  static Outgoing.Line text(String room, String content) {
    return line(room, content.getBytes(StandardCharsets.UTF_8), "id-" + content, null);
  }

  /** A text whose confirm is told. */
  static Outgoing.Line text(String room, String content, Runnable onConfirm) {
    return line(room, content.getBytes(StandardCharsets.UTF_8), "id-" + content, onConfirm);
  }

  static Outgoing.Line ofBytes(String room, int bytes) {
    return line(room, "x".repeat(bytes).getBytes(StandardCharsets.UTF_8), "id-" + bytes, null);
  }

  private static Outgoing.Line line(
      String room, byte[] bytes, String id, @Nullable Runnable onConfirm) {
    return new Outgoing.Line(
        new RoomId(room), bytes, id, MessageType.TEXT, System.nanoTime(), onConfirm);
  }

  static Outgoing.Join join(String room, int userId, String session) {
    ClientMessage content =
        new ClientMessage(
            MessageType.JOIN, userId, "user" + userId, "", CLIENT_TIME, "j-" + session);
    ChatMessage.Origin origin = new ChatMessage.Origin("server-1", session, "127.0.0.1");
    return new Outgoing.Join(
        new ChatMessage(content, new RoomId(room), 0, origin, false), System.nanoTime());
  }
}
