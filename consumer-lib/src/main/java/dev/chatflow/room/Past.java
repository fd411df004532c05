package dev.chatflow.room;

import org.jspecify.annotations.Nullable;

/**
 * The earlier frames that a JOIN requests.
 *
 * @param after the last frame that the sender has: it is shown again, followed by all later frames;
 *     or null
 * @param history number of frames shown if {@code after} is not found; 0 to {@value #MAX_HISTORY}
 */
public record Past(@Nullable FrameName after, int history) {

  /** Maximum number of frames to request, not counting those after {@code after}. */
  public static final int MAX_HISTORY = 100;

  /** Maximum bytes of the log that {@code history} covers. */
  public static final int MAX_HISTORY_BYTES = 64 << 10;

  /** A JOIN that requests no earlier frames: the JOIN itself is the first frame. */
  public static final Past NONE = new Past(null, 0);

  public Past {
    if (history < 0 || history > MAX_HISTORY) {
      throw new IllegalArgumentException(
          "history must be 0 to " + MAX_HISTORY + ", not " + history);
    }
  }

  public boolean isNone() {
    return after == null && history == 0;
  }

  /** Returns the same request with at most this many frames of history. */
  public Past atMost(int frames) {
    return new Past(after, Math.min(history, frames));
  }
}
