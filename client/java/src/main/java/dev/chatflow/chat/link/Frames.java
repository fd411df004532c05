package dev.chatflow.chat.link;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds and reads the protocol's JSON frames. Pure functions. */
public final class Frames {

  /** The frame that asks the server for a sign of life. */
  static final String PING = "{\"messageType\":\"PING\"}";

  public static final String TYPE = "messageType";
  public static final String USER = "userId";
  public static final String ID = "messageId";
  public static final String TIME = "serverTimestamp";
  public static final String DEVICE = "device";
  public static final String ERROR_CODE = "errorCode";

  private static final Set<String> BROADCASTS = Set.of("TEXT", "JOIN", "LEAVE", "SIGNAL");
  private static final List<String> NAME = List.of(TYPE, USER, ID, TIME);

  private Frames() {}

  /** Returns a frame with the fields common to all client frames; fields may be added. */
  public static JsonObject message(String type, String userId, String username, String id) {
    JsonObject frame = new JsonObject();
    frame.addProperty(TYPE, type);
    frame.addProperty(USER, userId);
    frame.addProperty("username", username);
    frame.addProperty("timestamp", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    frame.addProperty(ID, id);
    return frame;
  }

  /** Parses a frame; null if the text is not a JSON object. */
  public static @Nullable JsonObject read(String text) {
    try {
      return JsonParser.parseString(text) instanceof JsonObject frame ? frame : null;
    } catch (JsonParseException ignored) {
      return null;
    }
  }

  /** Returns a field as text, or the empty string. */
  public static String text(JsonObject frame, String field) {
    JsonElement value = frame.get(field);
    return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
  }

  /** Returns a field as a number, or 0. */
  public static long number(JsonObject frame, String field) {
    String text = text(frame, field);
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /** Returns a list of objects; empty if the field is not an array. */
  public static List<JsonObject> objects(JsonObject frame, String field) {
    return frame.get(field) instanceof JsonArray array
        ? array.asList().stream().map(JsonElement::getAsJsonObject).toList()
        : List.of();
  }

  public static boolean is(JsonObject frame, String field) {
    return text(frame, field).equals("true");
  }

  /** Returns the sender's device; the empty string if it has no name. */
  public static String device(JsonObject broadcast) {
    return text(broadcast, DEVICE);
  }

  static boolean isBroadcast(JsonObject frame) {
    return number(frame, "status") == 200 && BROADCASTS.contains(text(frame, TYPE));
  }

  public static boolean isText(JsonObject broadcast) {
    return text(broadcast, TYPE).equals("TEXT");
  }

  public static boolean isSignal(JsonObject broadcast) {
    return text(broadcast, TYPE).equals("SIGNAL");
  }

  /** Returns the four fields that identify a broadcast. */
  public static JsonObject nameOf(JsonObject broadcast) {
    JsonObject name = new JsonObject();
    NAME.forEach(field -> name.addProperty(field, text(broadcast, field)));
    return name;
  }

  /** Returns when the server accepted a message; null if the frame has no such time. */
  public static @Nullable Instant timeOf(JsonObject broadcast) {
    try {
      return Instant.parse(text(broadcast, TIME));
    } catch (DateTimeParseException ignored) {
      return null;
    }
  }

  /** Returns whether the frame has a position in the room, so that a client can resume after it. */
  public static boolean isNameable(JsonObject broadcast) {
    return !is(broadcast, "duplicate") && !is(broadcast, "quiet");
  }

  /** Returns the reason of a refusal, with the text of every invalid field. */
  public static String refusal(JsonObject error) {
    return error.get("errors") instanceof JsonObject fields && !fields.isEmpty()
        ? fields.keySet().stream()
            .map(field -> field + " " + text(fields, field))
            .collect(Collectors.joining("; "))
        : text(error, "error");
  }
}
