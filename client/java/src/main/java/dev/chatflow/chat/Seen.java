package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The newest 4,096 texts seen: who moved, or could not resume, gets some again. Two texts under one
 * id are two, as they are for the server. Of its room's thread.
 */
final class Seen {

  private static final int MOST = 4_096;

  private final Set<String> keys = new LinkedHashSet<>();

  private static String keyOf(JsonObject text) {
    return Frames.text(text, Frames.USER)
        + " "
        + Frames.text(text, Frames.ID)
        + " "
        + Frames.text(text, "message");
  }

  boolean has(JsonObject text) {
    return keys.contains(keyOf(text));
  }

  /** False for a repeat. */
  boolean add(JsonObject text) {
    boolean isNew = keys.add(keyOf(text));
    if (keys.size() > MOST) {
      keys.remove(keys.iterator().next());
    }
    return isNew;
  }
}
