package dev.chatflow.log;

/**
 * The size of a window: the longest run of entries before an entry that keeps both bounds.
 *
 * <p>Constant in a cluster: readers with different bounds would show different rooms.
 *
 * @param entries maximum number of entries, including copies
 * @param bytes maximum bytes of their bodies
 */
public record WindowBounds(int entries, long bytes) {

  /** For streams: 40 s at the 400 entries/s that lanes keep to, 17 s by bytes. */
  public static final WindowBounds STREAM = new WindowBounds(16_384, 64L << 20);

  /** For the embedded broker, whose ring holds four windows: 20 s at 400 entries/s. */
  public static final WindowBounds RING = new WindowBounds(8_192, 8L << 20);

  public WindowBounds {
    if (entries < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a window holds at least one entry of one byte, not " + entries + " of " + bytes);
    }
  }
}
