package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a membership before its JOIN. If the first one is the frame that the JOIN named,
 * nothing is missing. Used only by the room's thread.
 */
public final class Past {

  private static final int MOST = 4_096;

  private final @Nullable JsonObject named;
  private final List<JsonObject> frames = new ArrayList<>();
  private boolean isBegun;
  private boolean isHeld;

  /**
   * Creates an empty past.
   *
   * @param named the frame that the JOIN named; null for none
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

  /** Returns whether the named frame came again, so that nothing is missing. */
  public boolean isHeld() {
    return isHeld;
  }

  /**
   * Returns whether enough frames were collected to deliver them before the rest arrives. Only
   * after a named frame.
   */
  boolean isFull() {
    return isHeld && frames.size() >= MOST;
  }

  public List<JsonObject> take() {
    List<JsonObject> taken = List.copyOf(frames);
    frames.clear();
    return taken;
  }
}
