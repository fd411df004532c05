package dev.chatflow.client.verify;

import org.jspecify.annotations.Nullable;

/**
 * The last frame of its room that a user has, kept as it came: it is copied often and read rarely.
 *
 * <p>Belongs to one thread.
 */
public final class LastFrame {
  private static final int SPARE = 128;

  private byte[] bytes = {};
  private int length;

  /** Takes the place of what was kept before. */
  public void keep(byte[] source, int from, int to) {
    length = to - from;
    if (length > bytes.length) {
      bytes = new byte[length + SPARE];
    }
    System.arraycopy(source, from, bytes, 0, length);
  }

  /** Nothing is kept any more. */
  public void forget() {
    length = 0;
  }

  public boolean isKept() {
    return length > 0;
  }

  /** The name of the frame; null when there is none, or when it has no name. */
  public @Nullable FrameName name() {
    return isKept() ? FrameName.of(bytes, 0, length) : null;
  }
}
