package dev.chatflow.log;

import java.time.Duration;

/**
 * Bounds of the readers of a process.
 *
 * @param shards the cluster's number of shards
 * @param prefetch maximum unacknowledged entries of one reading; 1 to {@value #MAX_PREFETCH}
 * @param stream the window of a log that is a stream
 * @param ring the window of a log that is a ring
 * @param ringBytes bytes of bodies that a ring holds before it overwrites its oldest entry
 * @param ringEntries entries that a ring holds before it overwrites its oldest entry
 * @param linger a shard unused for this long is no longer read
 */
public record ReaderConfig(
    int shards,
    int prefetch,
    WindowBounds stream,
    WindowBounds ring,
    long ringBytes,
    int ringEntries,
    Duration linger) {

  /** More was not faster, and each entry takes memory until it is acknowledged. */
  public static final int MAX_PREFETCH = 1_000;

  /** Long enough for clients that reconnect, short enough for a shard that is not used again. */
  public static final Duration LINGER = Duration.ofMinutes(10);

  public ReaderConfig {
    if (shards < 1) {
      throw new IllegalArgumentException("shards must be at least 1, not " + shards);
    }
    if (prefetch < 1 || prefetch > MAX_PREFETCH) {
      throw new IllegalArgumentException(
          "prefetch must be 1 to " + MAX_PREFETCH + ", not " + prefetch);
    }
    if (ringBytes < 1 || ringEntries < 1) {
      throw new IllegalArgumentException(
          "a ring holds at least one entry of one byte, not " + ringEntries + " of " + ringBytes);
    }
  }

  /**
   * Returns the share of a ring's bytes that an entry takes: its size, or its part of the number of
   * entries.
   */
  public long ringShare(int bodyBytes) {
    return Math.max(bodyBytes, ringBytes / ringEntries);
  }

  /** Returns the window of a log; streams have offsets, rings have none. */
  public WindowBounds window(boolean offsets) {
    return offsets ? stream : ring;
  }
}
