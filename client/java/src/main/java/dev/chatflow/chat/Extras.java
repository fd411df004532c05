package dev.chatflow.chat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.chatflow.chat.link.Frames;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The optional parts of a text or signal. Edits, deletions and reactions are texts too: the program
 * applies them to the message that they name.
 *
 * @param kind the action on the message {@code ref}, or a word of the application; 1 to 32 of
 *     {@code A-Z a-z 0-9 . _ : -}
 * @param ref the message that it names; not without a kind
 * @param data a JSON object of the application, at most 2,048 bytes of UTF-8
 */
public record Extras(@Nullable String kind, @Nullable Ref ref, @Nullable String data) {

  /** None of these parts. */
  public static final Extras NONE = new Extras(null, null, null);

  private static final int MAX_DATA = 2_048;

  /** The author and the id of a message of the room. */
  public record Ref(String userId, String id) {}

  /** Carries a word of the application that names no message. */
  public static Extras ofKind(String kind) {
    return new Extras(kind, null, null);
  }

  public static Extras reply(Message to) {
    return NONE.naming("reply", to);
  }

  /** Replaces the text of a message of your own. */
  public static Extras edit(Message own) {
    return NONE.naming("edit", own);
  }

  /** Deletes a message of your own; the text may be empty. */
  public static Extras delete(Message own) {
    return NONE.naming("delete", own);
  }

  /** Reacts to a message; the text is the reaction, such as an emoji. */
  public static Extras reaction(Message to) {
    return NONE.naming("reaction", to);
  }

  /** Names a message with a kind, which may be a word of the application. */
  public Extras naming(String kind, Message message) {
    return new Extras(kind, new Ref(message.user().id(), message.id()), data);
  }

  /** Adds a JSON object of the application. */
  public Extras withData(String json) {
    return new Extras(kind, ref, json);
  }

  /** Throws in the call that sends the text if no server would accept the data. */
  void requireSendable() {
    if (data != null && !isObject(data)) {
      throw new IllegalArgumentException("data is one JSON object of at most 2,048 bytes");
    }
  }

  /** Returns whether the text may be empty. */
  boolean allowNoText() {
    return data != null || "delete".equals(kind);
  }

  /** Adds the fields of a frame. */
  void addTo(JsonObject frame) {
    if (kind != null) {
      frame.addProperty("kind", kind);
    }
    if (ref != null) {
      frame.addProperty("ref", ref.id());
      frame.addProperty("refUserId", ref.userId());
    }
    if (data != null) {
      frame.add("data", JsonParser.parseString(data));
    }
  }

  static Extras of(JsonObject broadcast) {
    JsonElement data = broadcast.get("data");
    return new Extras(
        broadcast.has("kind") ? Frames.text(broadcast, "kind") : null,
        broadcast.has("ref")
            ? new Ref(Frames.text(broadcast, "refUserId"), Frames.text(broadcast, "ref"))
            : null,
        data == null ? null : data.toString());
  }

  private static boolean isObject(String json) {
    try {
      return JsonParser.parseString(json).isJsonObject()
          && json.getBytes(StandardCharsets.UTF_8).length <= MAX_DATA;
    } catch (JsonParseException ignored) {
      return false;
    }
  }
}
