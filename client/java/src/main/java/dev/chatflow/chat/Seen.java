package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Remembers the newest 4,096 texts: a client that moved to another server, or could not resume,
 * gets some of them again. As on the server, two texts with the same id are two texts. Used only by
 * the room's thread.
 */
final class Seen {

  private static final int MOST = 4_096;

  private final Set<String> keys = new LinkedHashSet<>();

  private static String keyOf(JsonObject text) {
    return Frames.text(text, Frames.USER)
        + " "
        + Frames.text(text, Frames.ID)
        + " "
        + Frames.text(text, "message")
        + " "
        + Values.extrasOf(text);
  }

  boolean has(JsonObject text) {
    return keys.contains(keyOf(text));
  }

  /** Returns false for a repeated text. */
  boolean add(JsonObject text) {
    boolean isNew = keys.add(keyOf(text));
    if (keys.size() > MOST) {
      keys.remove(keys.iterator().next());
    }
    return isNew;
  }
}
