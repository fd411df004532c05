package dev.chatflow.client.verify;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The four fields with which a JOIN names a frame of its room. Immutable. */
public record FrameName(
    String messageType, String userId, String messageId, String serverTimestamp) {

  /** Returns the name of a frame; null if a field is missing. Parses JSON, so call it rarely. */
  public static @Nullable FrameName of(byte[] bytes, int from, int to) {
    try {
      String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      if (!(JsonParser.parseString(text) instanceof JsonObject json)) {
        return null;
      }
      String type = field(json, "messageType");
      String user = field(json, "userId");
      String id = field(json, "messageId");
      String time = field(json, "serverTimestamp");
      boolean whole = !type.isEmpty() && !user.isEmpty() && !id.isEmpty() && !time.isEmpty();
      return whole ? new FrameName(type, user, id, time) : null;
    } catch (JsonParseException e) {
      return null;
    }
  }

  /** Returns the value of the field {@code after}. */
  public String json() {
    JsonObject json = new JsonObject();
    json.addProperty("messageType", messageType);
    json.addProperty("userId", userId);
    json.addProperty("messageId", messageId);
    json.addProperty("serverTimestamp", serverTimestamp);
    return json.toString();
  }

  private static String field(JsonObject json, String name) {
    JsonElement value = json.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }
}
