package dev.chatflow.log;

/**
 * How much of a shard's log counts as its present: the window of an entry is the run of entries
 * before it that keeps both bounds.
 *
 * <p>Constants of a cluster: readers with different bounds would show different rooms.
 *
 * @param entries entries at most, copies included
 * @param bytes bytes of their bodies at most
 */
public record WindowBounds(int entries, long bytes) {

  /** On a broker with streams: 40 s at the 400 entries/s that lanes keep to, 17 s by bytes. */
  public static final WindowBounds STREAM = new WindowBounds(16_384, 64L << 20);

  /** On the embedded broker, whose ring holds four of them: 20 s at 400 entries/s. */
  public static final WindowBounds RING = new WindowBounds(8_192, 8L << 20);

  public WindowBounds {
    if (entries < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a window holds at least one entry of one byte, not " + entries + " of " + bytes);
    }
  }
}
