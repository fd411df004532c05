package dev.chatflow.server.http;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.Field;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import dev.chatflow.message.Rule;
import dev.chatflow.room.RoomId;
import dev.chatflow.support.Answer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parses the message of an HTTP request, or returns the error.
 *
 * <p>One object per request, used only by its thread.
 */
final class PostRequest {

  static final String KEY = "Idempotency-Key";
  static final String BAD_ROOM = "room id must be " + RoomId.RULE;

  /** The content of a request. */
  sealed interface Content {

    /** A valid TEXT; its id is set if the client gave one. */
    record Text(RoomId room, ClientMessage message) implements Content {}

    record Wrong(ErrorFrame error) implements Content {}
  }

  private final HttpServletRequest request;
  private final ClientRules rules;
  private final long nowMillis;

  PostRequest(HttpServletRequest request, ClientRules rules, long nowMillis) {
    this.request = request;
    this.rules = rules;
    this.nowMillis = nowMillis;
  }

  /**
   * Reads the body, which may wait for the client.
   *
   * @throws IOException if the client disconnects
   */
  Content read(String roomId) throws IOException {
    if (!RoomId.isValid(roomId)) {
      return wrong(ErrorCode.BAD_ROOM, BAD_ROOM);
    }
    if (!isJson(request.getContentType()) || request.getHeader("Content-Encoding") != null) {
      String text = "the body must be " + Answer.JSON + " in UTF-8, not encoded: set Content-Type";
      return wrong(ErrorCode.UNSUPPORTED_MEDIA_TYPE, text);
    }
    int max = rules.maxFrameBytes();
    byte[] body =
        request.getContentLengthLong() > max ? null : request.getInputStream().readNBytes(max + 1);
    if (body == null || body.length > max) {
      return wrong(ErrorCode.PAYLOAD_TOO_LARGE, "at most " + max + " bytes");
    }
    return content(body, new RoomId(roomId));
  }

  private static boolean isJson(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    String[] parts = contentType.toLowerCase(Locale.ROOT).replace("\"", "").split(";", -1);
    boolean json = parts[0].strip().equals(Answer.JSON);
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      json &= !parameter.startsWith("charset=") || parameter.equals("charset=utf-8");
    }
    return json;
  }

  private Content content(byte[] body, RoomId room) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException _) {
      return wrong(ErrorCode.MALFORMED_JSON, "not UTF-8");
    }
    return switch (MessageCodec.parse(text, room, rules)) {
      case Parsed.Malformed malformed -> new Content.Wrong(ErrorFrame.of(malformed, nowMillis));
      case Parsed.Invalid(SortedMap<String, String> errors, String id) ->
          invalid(withKeyErrors(errors, id), id);
      case Parsed.Valid(ClientMessage message) -> valid(message, room);
      case Parsed.Ping _ -> invalid(withKeyErrors(noText("PING needs"), null), null);
    };
  }

  private Content valid(ClientMessage message, RoomId room) {
    SortedMap<String, String> errors = withKeyErrors(typeErrors(message), message.messageId());
    if (!errors.isEmpty()) {
      return invalid(errors, message.messageId());
    }
    String key = request.getHeader(KEY);
    return new Content.Text(room, key == null ? message : message.withMessageId(unquoted(key)));
  }

  /** Removes the quotes of the IETF draft's form of a key; a key without quotes is unchanged. */
  private static String unquoted(String key) {
    boolean quoted = key.length() > 1 && key.startsWith("\"") && key.endsWith("\"");
    return quoted ? key.substring(1, key.length() - 1) : key;
  }

  private static SortedMap<String, String> typeErrors(ClientMessage message) {
    return message.type() == MessageType.TEXT
        ? new TreeMap<>()
        : noText("JOIN, LEAVE and SIGNAL need");
  }

  private static SortedMap<String, String> noText(String whatNeeds) {
    return new TreeMap<>(
        Map.of(Field.MESSAGE_TYPE.wireName(), "must be TEXT: " + whatNeeds + " a WebSocket"));
  }

  private SortedMap<String, String> withKeyErrors(
      SortedMap<String, String> errors, @Nullable String bodyId) {
    SortedMap<String, String> all = new TreeMap<>(errors);
    List<String> keys = Collections.list(request.getHeaders(KEY));
    if (keys.size() > 1) {
      all.put(KEY, "must be given once");
    } else if (keys.size() == 1) {
      String key = unquoted(keys.getFirst());
      if (!Rule.MESSAGE_ID.allows().test(key)) {
        all.put(KEY, Rule.MESSAGE_ID.text());
      } else if (bodyId != null && !bodyId.equals(key)) {
        all.put(KEY, "must be absent or the messageId of the body, " + bodyId);
      }
    }
    return all;
  }

  private Content invalid(SortedMap<String, String> errors, @Nullable String messageId) {
    return new Content.Wrong(ErrorFrame.of(new Parsed.Invalid(errors, messageId), nowMillis));
  }

  private Content wrong(ErrorCode code, String text) {
    return new Content.Wrong(ErrorFrame.refusal(code, text, null, nowMillis));
  }
}
