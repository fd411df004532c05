package dev.chatflow.record;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Extras;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineReader;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;

/** Messages as the broker delivers them. */
public final class Spoken {

  /** 2026-11-20T18:46:00Z. */
  public static final long NOW = 1_795_200_360_000L;

  private static final ChatMessage.Origin ORIGIN =
      new ChatMessage.Origin("server-1", "s1", "127.0.0.1");
  private static final LineReader READER = new LineReader();

  private Spoken() {}

  public static Line.Message text(String room, int user, String text) {
    return text(room, user, text, NOW);
  }

  public static Line.Message text(String room, int user, String text, long serverMillis) {
    return read(message(MessageType.TEXT, room, user, text, serverMillis, false));
  }

  /** Returns a message of a user whose id is not a number. */
  public static Line.Message text(String room, String userId, String username, String text) {
    return read(
        new ChatMessage(
            new ClientMessage(
                MessageType.TEXT, userId, username, text, "2026-11-20T18:46:00Z", "m-1"),
            new RoomId(room),
            NOW,
            ORIGIN,
            false));
  }

  public static Line.Message join(String room, int user) {
    return read(message(MessageType.JOIN, room, user, "", NOW, false));
  }

  public static Line.Message leave(String room, int user, boolean synthetic) {
    return read(message(MessageType.LEAVE, room, user, "", NOW, synthetic));
  }

  /** Returns a line as a lane publishes it. */
  public static String line(String room, int user, String text) {
    ChatMessage message = message(MessageType.TEXT, room, user, text, NOW, false);
    return new String(LineWriter.line(message), StandardCharsets.UTF_8);
  }

  /** Returns the line of a signal, which is not recorded. */
  public static String signal(String room, int user) {
    ClientMessage content =
        new ClientMessage(
            MessageType.SIGNAL,
            Integer.toString(user),
            "user" + user,
            "",
            "2026-11-20T18:46:00Z",
            "m-2",
            new Extras("typing", null, null));
    return new String(
        LineWriter.line(new ChatMessage(content, new RoomId(room), NOW, ORIGIN, false)),
        StandardCharsets.UTF_8);
  }

  private static ChatMessage message(
      MessageType type, String room, int user, String text, long millis, boolean synthetic) {
    return new ChatMessage(
        new ClientMessage(
            type, Integer.toString(user), "user" + user, text, "2026-11-20T18:46:00Z", "m-1"),
        new RoomId(room),
        millis,
        ORIGIN,
        synthetic);
  }

  private static Line.Message read(ChatMessage message) {
    byte[] line = LineWriter.line(message);
    if (READER.read(line, 0, line.length) instanceof Line.Message read) {
      return read;
    }
    throw new IllegalArgumentException(message.toString());
  }
}
