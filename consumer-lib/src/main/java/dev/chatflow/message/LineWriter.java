package dev.chatflow.message;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * Writes accepted messages as lines for the broker and as frames for members.
 *
 * <p>Stateless and thread-safe. Fields have a fixed order without whitespace, so a message has the
 * same form everywhere; {@link LineScan} reads this form.
 */
public final class LineWriter {

  /** The content type of a body with one line. */
  public static final String CONTENT_TYPE = "application/json";

  // The fixed parts of a line, in order.
  static final byte[] TYPE = JsonBytes.ascii("{" + Field.MESSAGE_TYPE.key() + '"');
  static final byte[] ROOM_ID = next(Field.ROOM_ID);
  static final byte[] USER_ID = next(Field.USER_ID);
  static final byte[] USERNAME = next(Field.USERNAME);
  static final byte[] MESSAGE = next(Field.MESSAGE);
  static final byte[] TIMESTAMP = next(Field.TIMESTAMP);
  static final byte[] MESSAGE_ID = next(Field.MESSAGE_ID);
  static final byte[] SERVER_TIMESTAMP = next(Field.SERVER_TIMESTAMP);
  static final byte[] SERVER_ID = next(Field.SERVER_ID);
  static final byte[] STATUS_OK = JsonBytes.ascii("\"," + Field.STATUS.key() + "200");
  static final byte[] KIND = JsonBytes.ascii("," + Field.KIND.key() + '"');
  static final byte[] REF = JsonBytes.ascii("," + Field.REF.key() + '"');
  static final byte[] REF_USER_ID = next(Field.REF_USER_ID);
  static final byte[] DATA = JsonBytes.ascii("," + Field.DATA.key());
  static final byte[] DEVICE = JsonBytes.ascii("," + Field.DEVICE.key() + '"');
  static final byte[] QUOTE = JsonBytes.ascii("\"");
  static final byte[] SYNTHETIC = JsonBytes.ascii("," + Field.SYNTHETIC.key() + "true");
  static final byte[] QUIET = JsonBytes.ascii("," + Field.QUIET.key() + "true");
  private static final byte[] DUPLICATE = JsonBytes.ascii(",\"duplicate\":true");
  static final byte[] SESSION = JsonBytes.ascii("," + Field.SESSION.key() + '"');
  static final byte[] CLIENT_IP = next(Field.CLIENT_IP);
  static final byte[] STAMP = JsonBytes.ascii("\"," + Field.STAMP.key());
  static final byte[] END = JsonBytes.ascii("}");
  static final byte[] STRING_END = JsonBytes.ascii("\"}");

  /** Number of bytes common to all broadcasts; the server's time always has the same length. */
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

  private LineWriter() {}

  /** Returns the message as one line for the broker, without a newline. */
  public static byte[] line(ChatMessage message) {
    ChatMessage.Origin origin = message.origin();
    JsonBytes json = broadcastFields(message, lengthOf(origin));
    if (origin.connectionId().isEmpty()) {
      return json.raw(END).toBytes();
    }
    json.raw(SESSION).plain(origin.connectionId());
    if (!origin.clientIp().isEmpty()) {
      json.raw(CLIENT_IP).plain(origin.clientIp());
    }
    if (origin.stamp() == ChatMessage.Origin.NO_STAMP) {
      return json.raw(STRING_END).toBytes();
    }
    return json.raw(STAMP).number(origin.stamp()).raw(END).toBytes();
  }

  /**
   * Returns the message as sent to members.
   *
   * @param duplicate whether it answers a message that was sent again and had been shown before
   */
  public static byte[] broadcast(ChatMessage message, boolean duplicate) {
    JsonBytes json = broadcastFields(message, END.length + (duplicate ? DUPLICATE.length : 0));
    if (duplicate) {
      json.raw(DUPLICATE);
    }
    return json.raw(END).toBytes();
  }

  /**
   * Begins a broadcast.
   *
   * @param more number of bytes that will follow
   */
  private static JsonBytes broadcastFields(ChatMessage message, int more) {
    ClientMessage content = message.content();
    JsonBytes json = new JsonBytes(more + lengthOf(message));
    json.raw(TYPE).plain(content.type().name());
    json.raw(ROOM_ID).plain(message.room().value());
    json.raw(USER_ID).plain(content.userId());
    json.raw(USERNAME).escaped(content.username());
    json.raw(MESSAGE).escaped(content.message());
    json.raw(TIMESTAMP).plain(content.timestamp());
    json.raw(MESSAGE_ID).plain(message.messageId());
    json.raw(SERVER_TIMESTAMP).time(message.serverMillis());
    json.raw(SERVER_ID).plain(message.origin().serverId());
    json.raw(STATUS_OK);
    extras(json, content.extras());
    if (!message.origin().device().isEmpty()) {
      json.raw(DEVICE).plain(message.origin().device()).raw(QUOTE);
    }
    if (message.synthetic()) {
      json.raw(SYNTHETIC);
    }
    return message.quiet() ? json.raw(QUIET) : json;
  }

  private static void extras(JsonBytes json, Extras extras) {
    if (extras.kind() != null) {
      json.raw(KIND).plain(extras.kind()).raw(QUOTE);
    }
    Extras.Ref ref = extras.ref();
    if (ref != null) {
      json.raw(REF).plain(ref.messageId()).raw(REF_USER_ID).plain(ref.userId()).raw(QUOTE);
    }
    if (extras.data() != null) {
      json.raw(DATA).raw(extras.data().getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Returns the bytes of a broadcast before its end; exact if its texts are ASCII and need no
   * escape, and it carries nothing else.
   */
  private static int lengthOf(ChatMessage message) {
    ClientMessage content = message.content();
    return FIXED_BYTES
        + (message.synthetic() ? SYNTHETIC.length : 0)
        + (message.quiet() ? QUIET.length : 0)
        + content.type().name().length()
        + message.room().value().length()
        + content.userId().length()
        + content.username().length()
        + content.message().length()
        + content.timestamp().length()
        + message.messageId().length()
        + message.origin().serverId().length();
  }

  /** Returns the bytes of a line after the part that is broadcast. */
  private static int lengthOf(ChatMessage.Origin origin) {
    if (origin.connectionId().isEmpty()) {
      return END.length;
    }
    int ip = origin.clientIp().isEmpty() ? 0 : CLIENT_IP.length + origin.clientIp().length();
    int end =
        origin.stamp() == ChatMessage.Origin.NO_STAMP
            ? STRING_END.length
            : STAMP.length + Long.toString(origin.stamp()).length() + END.length;
    return SESSION.length + origin.connectionId().length() + ip + end;
  }

  /** Returns the bytes between the content of one string field and the next. */
  private static byte[] next(Field field) {
    return JsonBytes.ascii("\"," + field.key() + '"');
  }
}
