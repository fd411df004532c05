package dev.chatflow.client.fake;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** All frames of one room, for JOINs that request past frames. Guarded by its owner. */
final class FakePast {
  private static final List<String> NAME =
      List.of("messageType", "userId", "messageId", "serverTimestamp");

  private final List<String> frames = new ArrayList<>();

  void add(String frame) {
    frames.add(frame);
  }

  /**
   * Returns the frames to send before a JOIN: all since the frame that it names, or as many as it
   * requests.
   */
  List<String> requested(JsonObject join) {
    JsonElement after = join.get("after");
    int named = after == null ? -1 : find(after.getAsJsonObject());
    int history = join.has("history") ? join.get("history").getAsInt() : 0;
    int from = named >= 0 ? named : Math.max(0, frames.size() - history);
    return List.copyOf(frames.subList(from, frames.size()));
  }

  /** Returns the index of the only frame with this name. Returns -1 if there is none or several. */
  private int find(JsonObject name) {
    int[] found =
        IntStream.range(0, frames.size()).filter(at -> isNamed(frames.get(at), name)).toArray();
    return found.length == 1 ? found[0] : -1;
  }

  private static boolean isNamed(String frame, JsonObject name) {
    JsonObject json = JsonParser.parseString(frame).getAsJsonObject();
    return NAME.stream().allMatch(field -> json.get(field).equals(name.get(field)));
  }
}
