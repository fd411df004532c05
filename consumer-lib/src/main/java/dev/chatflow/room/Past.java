package dev.chatflow.room;

import org.jspecify.annotations.Nullable;

/**
 * What a JOIN asks to be shown of what was said before it.
 *
 * @param after the last frame that its sender has: it is shown once more, and all behind it; or
 *     null
 * @param history how many of the last frames are shown when that one is not found; 0 to {@value
 *     #MAX_HISTORY}
 */
public record Past(@Nullable FrameName after, int history) {

  /** The most frames that may be asked for, besides those behind {@code after}. */
  public static final int MAX_HISTORY = 100;

  /** Bytes of the log that {@code history} takes at most. */
  public static final int MAX_HISTORY_BYTES = 64 << 10;

  /** Nothing was asked for: the own JOIN is the first frame. */
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

  /** The same with at most so many frames of history. */
  public Past atMost(int frames) {
    return new Past(after, Math.min(history, frames));
  }
}
