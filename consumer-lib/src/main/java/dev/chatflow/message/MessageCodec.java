package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The JSON of the protocol: client frames in; broker lines, broadcasts and errors out.
 *
 * <p>Stateless: any thread. Written objects have a fixed field order and no whitespace, so that one
 * message has one form everywhere.
 */
public final class MessageCodec {

  /** The most payload bytes a client's message may have, fragments added up. */
  public static final int MAX_FRAME_BYTES = 8192;

  /** The most characters, counted as code points, a {@code message} may have. */
  public static final int MAX_TEXT_CODE_POINTS = 500;

  /** What a message id must be, in words for its sender. */
  public static final String MESSAGE_ID_RULE = Rule.MESSAGE_ID.text();

  /** Bytes of an answer as it usually is; more is found on demand. */
  private static final int USUAL_BYTES = 512;

  // The fixed parts of a line, in order; LineScan reads what is written here.
  static final byte[] TYPE = JsonBytes.ascii("{\"messageType\":\"");
  static final byte[] ROOM_ID = next("roomId");
  static final byte[] USER_ID = next("userId");
  static final byte[] USERNAME = next("username");
  static final byte[] MESSAGE = next("message");
  static final byte[] TIMESTAMP = next("timestamp");
  static final byte[] MESSAGE_ID = next("messageId");
  static final byte[] SERVER_TIMESTAMP = next("serverTimestamp");
  static final byte[] SERVER_ID = next("serverId");
  static final byte[] STATUS_OK = JsonBytes.ascii("\",\"status\":200");
  static final byte[] SYNTHETIC = JsonBytes.ascii(",\"synthetic\":true");
  private static final byte[] DUPLICATE = JsonBytes.ascii(",\"duplicate\":true");
  static final byte[] SESSION = JsonBytes.ascii(",\"session\":\"");
  static final byte[] CLIENT_IP = next("clientIp");
  static final byte[] END = JsonBytes.ascii("}");
  static final byte[] STRING_END = JsonBytes.ascii("\"}");

  /** Bytes of a broadcast that are the same in each; its own time has always as many. */
  private static final int FIXED_BYTES =
      Stream.of(
                  TYPE,
                  ROOM_ID,
                  USER_ID,
                  USERNAME,
                  MESSAGE,
                  TIMESTAMP,
                  MESSAGE_ID,
                  SERVER_TIMESTAMP,
                  SERVER_ID,
                  STATUS_OK)
              .mapToInt(part -> part.length)
              .sum()
          + Rfc3339.SERVER_LENGTH;

  /** Judges a text frame that was sent in {@code room}. Its length is the container's business. */
  public Parsed parse(String frame, RoomId room) {
    Map<Field, JsonValue> fields = PlainObject.fieldsOf(frame);
    try {
      if (fields == null) {
        fields = StrictObject.fieldsOf(frame);
      }
    } catch (MalformedTextException e) {
      return new Parsed.Malformed(e.reason());
    }
    FieldChecks checks = new FieldChecks(fields);
    checks.optional(Field.ROOM_ID, Rule.room(room));
    String messageId = checks.optional(Field.MESSAGE_ID, Rule.MESSAGE_ID);
    ClientMessage message = checks.clientMessage(messageId);
    return message == null
        ? new Parsed.Invalid(checks.errors(), messageId)
        : new Parsed.Valid(message);
  }

  /** Whether {@code text} can be a message id, for ids that come in an HTTP header. */
  public static boolean isMessageId(String text) {
    return Rule.MESSAGE_ID.allows().test(text);
  }

  /** The message as one line for the broker, without a newline. */
  public byte[] line(ChatMessage message) {
    ChatMessage.Origin origin = message.origin();
    JsonBytes json = broadcastFields(message, lengthOf(origin));
    if (origin.session().isEmpty()) {
      return json.raw(END).toBytes();
    }
    json.raw(SESSION).plain(origin.session());
    if (!origin.clientIp().isEmpty()) {
      json.raw(CLIENT_IP).plain(origin.clientIp());
    }
    return json.raw(STRING_END).toBytes();
  }

  /**
   * The message as members are shown it.
   *
   * @param duplicate whether it is the answer to a resend of what was shown already
   */
  public byte[] broadcast(ChatMessage message, boolean duplicate) {
    JsonBytes json = broadcastFields(message, END.length + (duplicate ? DUPLICATE.length : 0));
    if (duplicate) {
      json.raw(DUPLICATE);
    }
    return json.raw(END).toBytes();
  }

  /**
   * Begins a broadcast.
   *
   * @param more bytes that will be written behind it
   */
  private static JsonBytes broadcastFields(ChatMessage message, int more) {
    ClientMessage content = message.content();
    JsonBytes json = new JsonBytes(more + lengthOf(message));
    json.raw(TYPE).plain(content.type().name());
    json.raw(ROOM_ID).plain(message.room().value());
    json.raw(USER_ID).number(content.userId());
    json.raw(USERNAME).plain(content.username());
    json.raw(MESSAGE).escaped(content.message());
    json.raw(TIMESTAMP).plain(content.timestamp());
    json.raw(MESSAGE_ID).plain(message.messageId());
    json.raw(SERVER_TIMESTAMP).time(message.serverMillis());
    json.raw(SERVER_ID).plain(message.origin().serverId());
    json.raw(STATUS_OK);
    return message.synthetic() ? json.raw(SYNTHETIC) : json;
  }

  /** Bytes of a broadcast before its end; exact when its text needs no escape and is ASCII. */
  private static int lengthOf(ChatMessage message) {
    ClientMessage content = message.content();
    return FIXED_BYTES
        + (message.synthetic() ? SYNTHETIC.length : 0)
        + content.type().name().length()
        + message.room().value().length()
        + Integer.toString(content.userId()).length()
        + content.username().length()
        + content.message().length()
        + content.timestamp().length()
        + message.messageId().length()
        + message.origin().serverId().length();
  }

  /** Bytes of a line behind what is broadcast of it. */
  private static int lengthOf(ChatMessage.Origin origin) {
    if (origin.session().isEmpty()) {
      return END.length;
    }
    int ip = origin.clientIp().isEmpty() ? 0 : CLIENT_IP.length + origin.clientIp().length();
    return SESSION.length + origin.session().length() + ip + STRING_END.length;
  }

  /** The answer to a publish over HTTP: under which id, and when, it was accepted. */
  public byte[] receipt(ChatMessage message) {
    return new JsonBytes(USUAL_BYTES)
        .plain("{\"messageId\":\"")
        .plain(message.messageId())
        .raw(SERVER_TIMESTAMP)
        .time(message.serverMillis())
        .raw(STRING_END)
        .toBytes();
  }

  /** A refusal as its sender is told it, over WebSocket and over HTTP. */
  public byte[] error(ErrorFrame error) {
    JsonBytes json = new JsonBytes(USUAL_BYTES);
    json.plain("{\"status\":").number(error.code().status());
    json.plain(",\"errorCode\":\"").plain(error.code().name());
    json.plain("\",\"error\":\"").escaped(error.text());
    json.plain("\"");
    if (!error.errors().isEmpty()) {
      fieldErrors(json, error.errors());
    }
    if (error.messageId() != null) {
      json.plain(",\"messageId\":\"").escaped(error.messageId()).plain("\"");
    }
    json.plain(",\"serverTimestamp\":\"").time(error.serverMillis()).plain("\"");
    if (error.retryAfterMillis() > 0) {
      json.plain(",\"retryAfterMs\":").number(error.retryAfterMillis());
    }
    return json.raw(END).toBytes();
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

  /** What stands between the content of one string field and that of the next. */
  private static byte[] next(String name) {
    return JsonBytes.ascii("\",\"" + name + "\":\"");
  }
}
