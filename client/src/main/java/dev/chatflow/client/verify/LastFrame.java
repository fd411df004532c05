package dev.chatflow.client.verify;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the last frame that a user received from its room. Keeps raw bytes, because frames are
 * copied often and read rarely.
 *
 * <p>Belongs to one thread.
 */
public final class LastFrame {
  private static final int SPARE = 128;

  private byte[] bytes = {};
  private int length;

  /** Replaces the kept frame. */
  public void keep(byte[] source, int from, int to) {
    length = to - from;
    if (length > bytes.length) {
      bytes = new byte[length + SPARE];
    }
    System.arraycopy(source, from, bytes, 0, length);
  }

  /** Removes the kept frame. */
  public void forget() {
    length = 0;
  }

  public boolean isKept() {
    return length > 0;
  }

  /** Returns the name of the frame; null without a frame or a name. */
  public @Nullable FrameName name() {
    return isKept() ? FrameName.of(bytes, 0, length) : null;
  }
}
