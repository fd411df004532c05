package dev.chatflow.message;

import dev.chatflow.room.FrameName;
import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a server and one client say to each other in JSON: frames in; errors and receipts out.
 *
 * <p>Stateless: any thread.
 */
public final class MessageCodec {

  /** Bytes of an answer as it usually is; more is found on demand. */
  private static final int USUAL_BYTES = 512;

  private static final JsonValue PING = new JsonValue(JsonValue.Kind.STRING, "PING");
  private static final byte[] PONG =
      "{\"messageType\":\"PONG\",\"status\":200}".getBytes(StandardCharsets.UTF_8);

  private MessageCodec() {}

  /**
   * Judges a text frame that was sent in {@code room}. Its length is the container's business.
   *
   * @param userIds the user ids that are let in
   */
  public static Parsed parse(String frame, RoomId room, UserIds userIds) {
    Map<Field, JsonValue> fields = PlainObject.fieldsOf(frame);
    try {
      if (fields == null) {
        fields = StrictObject.fieldsOf(frame);
      }
    } catch (MalformedTextException e) {
      return new Parsed.Malformed(e.reason());
    }
    if (PING.equals(fields.get(Field.MESSAGE_TYPE))) {
      return new Parsed.Ping();
    }
    FieldChecks checks = new FieldChecks(fields);
    checks.optional(Field.ROOM_ID, Rule.room(room));
    String messageId = checks.optional(Field.MESSAGE_ID, Rule.MESSAGE_ID);
    ClientMessage message = checks.clientMessage(messageId, userIds);
    return message == null
        ? new Parsed.Invalid(checks.errors(), messageId)
        : new Parsed.Valid(message);
  }

  /** What names a broadcast, as one JSON object with its four fields; null when it is none. */
  public static @Nullable FrameName frameName(String json) {
    try {
      return FieldChecks.frameName(StrictObject.fieldsOf(json));
    } catch (MalformedTextException _) {
      return null;
    }
  }

  /** The answer to a publish over HTTP: under which id, and when, it was accepted. */
  public static byte[] receipt(ChatMessage message) {
    return new JsonBytes(USUAL_BYTES)
        .plain("{" + Field.MESSAGE_ID.key() + '"')
        .plain(message.messageId())
        .plain("\"," + Field.SERVER_TIMESTAMP.key() + '"')
        .time(message.serverMillis())
        .plain("\"}")
        .toBytes();
  }

  /** The answer to a {@link Parsed.Ping}. */
  public static byte[] pong() {
    return PONG.clone();
  }

  /** A refusal as its sender is told it, over WebSocket and over HTTP. */
  public static byte[] error(ErrorFrame error) {
    JsonBytes json = new JsonBytes(USUAL_BYTES);
    json.plain("{" + Field.STATUS.key()).number(error.code().status());
    json.plain(",\"errorCode\":\"").plain(error.code().name());
    json.plain("\",\"error\":\"").escaped(error.text());
    json.plain("\"");
    if (!error.errors().isEmpty()) {
      fieldErrors(json, error.errors());
    }
    if (error.messageId() != null) {
      json.plain("," + Field.MESSAGE_ID.key() + '"').escaped(error.messageId()).plain("\"");
    }
    json.plain("," + Field.SERVER_TIMESTAMP.key() + '"').time(error.serverMillis()).plain("\"");
    if (error.retryAfterMillis() > 0) {
      json.plain(",\"retryAfterMs\":").number(error.retryAfterMillis());
    }
    return json.plain("}").toBytes();
  }

  private static void fieldErrors(JsonBytes json, SortedMap<String, String> errors) {
    String before = ",\"errors\":{\"";
    for (Map.Entry<String, String> error : errors.entrySet()) {
      json.plain(before).escaped(error.getKey());
      json.plain("\":\"").escaped(error.getValue()).plain("\"");
      before = ",\"";
    }
    json.plain("}");
  }
}
