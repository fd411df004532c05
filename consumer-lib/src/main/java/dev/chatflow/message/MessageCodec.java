package dev.chatflow.message;

import dev.chatflow.room.FrameName;
import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts the JSON between a server and a client: parses frames, writes errors and receipts.
 *
 * <p>Stateless and thread-safe.
 */
public final class MessageCodec {

  /** Size of a typical answer; it grows on demand. */
  private static final int USUAL_BYTES = 512;

  private static final JsonValue PING = JsonValue.string("PING");
  private static final byte[] PONG =
      "{\"messageType\":\"PONG\",\"status\":200}".getBytes(StandardCharsets.UTF_8);

  private MessageCodec() {}

  /**
   * Validates a text frame sent in {@code room}. The container limits its length.
   *
   * @param rules what the server accepts
   */
  public static Parsed parse(String frame, RoomId room, ClientRules rules) {
    try {
      return checked(fieldsOf(frame), room, rules);
    } catch (MalformedTextException e) {
      return new Parsed.Malformed(e.reason());
    }
  }

  /**
   * Validates the body of a post: a TEXT, or its short form with {@code text}.
   *
   * @param rules what the server accepts
   * @param defaults the fields that the short form may omit
   */
  public static Parsed parsePost(
      String body, RoomId room, ClientRules rules, Map<Field, String> defaults) {
    try {
      Map<Field, JsonValue> fields = new HashMap<>(fieldsOf(body));
      JsonValue text = fields.get(Field.TEXT);
      if (text != null && !fields.containsKey(Field.MESSAGE)) {
        defaults.forEach((field, value) -> fields.putIfAbsent(field, JsonValue.string(value)));
        fields.putIfAbsent(Field.MESSAGE_TYPE, JsonValue.string(MessageType.TEXT.name()));
        fields.put(Field.MESSAGE, text);
      }
      return checked(fields, room, rules);
    } catch (MalformedTextException e) {
      return new Parsed.Malformed(e.reason());
    }
  }

  private static Map<Field, JsonValue> fieldsOf(String json) throws MalformedTextException {
    Map<Field, JsonValue> plain = PlainObject.fieldsOf(json);
    return plain == null ? StrictObject.fieldsOf(json) : plain;
  }

  private static Parsed checked(Map<Field, JsonValue> fields, RoomId room, ClientRules rules) {
    if (PING.equals(fields.get(Field.MESSAGE_TYPE))) {
      return new Parsed.Ping();
    }
    FieldChecks checks = new FieldChecks(fields);
    checks.optional(Field.ROOM_ID, Rule.room(room));
    String messageId = checks.optional(Field.MESSAGE_ID, Rule.MESSAGE_ID);
    ClientMessage message = checks.clientMessage(messageId, rules);
    return message == null
        ? new Parsed.Invalid(checks.errors(), messageId)
        : new Parsed.Valid(message);
  }

  /** Parses the name of a broadcast, a JSON object with four fields; null if it is invalid. */
  public static @Nullable FrameName frameName(String json) {
    try {
      return FieldChecks.frameName(StrictObject.fieldsOf(json));
    } catch (MalformedTextException _) {
      return null;
    }
  }

  /** Returns the answer to a post: the id and the time of acceptance. */
  public static byte[] receipt(ChatMessage message) {
    return new JsonBytes(USUAL_BYTES)
        .plain("{" + Field.MESSAGE_ID.key() + '"')
        .plain(message.messageId())
        .plain("\"," + Field.SERVER_TIMESTAMP.key() + '"')
        .time(message.serverMillis())
        .plain("\"}")
        .toBytes();
  }

  /** Returns the answer to a {@link Parsed.Ping}. */
  public static byte[] pong() {
    return PONG.clone();
  }

  /** Returns a rejection as sent over WebSocket and HTTP. */
  public static byte[] error(ErrorFrame error) {
    return error(error, "errorCode", "error");
  }

  /** Returns a rejection in the form of RFC 9457, with the other fields of an error frame. */
  public static byte[] problem(ErrorFrame error) {
    return error(error, "title", "detail");
  }

  private static byte[] error(ErrorFrame error, String code, String text) {
    JsonBytes json = new JsonBytes(USUAL_BYTES);
    json.plain("{" + Field.STATUS.key()).number(error.code().status());
    json.plain(",\"" + code + "\":\"").plain(error.code().name());
    json.plain("\",\"" + text + "\":\"").escaped(error.text());
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
