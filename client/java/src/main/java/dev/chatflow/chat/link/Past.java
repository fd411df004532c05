package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a membership before its own JOIN. Whose first is the one that the JOIN named:
 * nothing is missing between that and what follows. Of its room's thread.
 */
public final class Past {

  private static final int MOST = 4_096;

  private final @Nullable JsonObject named;
  private final List<JsonObject> frames = new ArrayList<>();
  private boolean isBegun;
  private boolean isHeld;

  /**
   * An empty one.
   *
   * @param named what the JOIN named; null: nothing
   */
  Past(@Nullable JsonObject named) {
    this.named = named;
  }

  void add(JsonObject broadcast) {
    if (!isBegun && Frames.nameOf(broadcast).equals(named)) {
      isHeld = true;
    } else {
      frames.add(broadcast);
    }
    isBegun = true;
  }

  /** Whether the frame that was named came again: nothing is missing. */
  public boolean isHeld() {
    return isHeld;
  }

  /** So many that they are to be taken out, though more will come; only behind a frame named. */
  boolean isFull() {
    return isHeld && frames.size() >= MOST;
  }

  public List<JsonObject> take() {
    List<JsonObject> taken = List.copyOf(frames);
    frames.clear();
    return taken;
  }
}
