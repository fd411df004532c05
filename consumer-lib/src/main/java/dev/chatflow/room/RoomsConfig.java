package dev.chatflow.room;

import java.time.Duration;

/**
 * Bounds of the rooms of one reader thread.
 *
 * @param shards K
 * @param roomLogBytes maximum log of a room; at least two segments of 64 KiB
 * @param totalLogBytes this thread's share of all logs; at least one room's log
 * @param pastBytes how much of a room's log is kept as its past; 0 for nothing, at most half of the
 *     log
 * @param maxLagBytes a member further behind is not read; it is read again below half of this
 * @param sendDeadline longest time a write may make no progress before its member is closed, and
 *     the longest wait of a full log for its readers
 */
public record RoomsConfig(
    int shards,
    long roomLogBytes,
    long totalLogBytes,
    long pastBytes,
    int maxLagBytes,
    Duration sendDeadline) {

  public RoomsConfig {
    require(shards > 0, "shards", shards);
    require(roomLogBytes >= 2 * SegmentPool.SEGMENT_BYTES, "roomLogBytes", roomLogBytes);
    require(totalLogBytes >= roomLogBytes, "totalLogBytes", totalLogBytes);
    require(pastBytes >= 0, "pastBytes", pastBytes);
    require(maxLagBytes > 0, "maxLagBytes", maxLagBytes);
    require(sendDeadline.isPositive(), "sendDeadline", sendDeadline);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must not be " + value);
    }
  }
}
