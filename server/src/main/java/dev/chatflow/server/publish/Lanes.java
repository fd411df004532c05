package dev.chatflow.server.publish;

import dev.chatflow.room.RoomId;

/** Where accepted messages go: the lane of their shard. Any thread; no call parks its caller. */
public interface Lanes {

  /**
   * Takes an accepted message, always: it is sent until the broker has confirmed it.
   *
   * @return false when the lane is above its bound now: the caller stops reading until {@code
   *     waiting} is told
   */
  boolean offer(Outgoing message, Drained waiting);

  /**
   * Whether a newcomer (a JOIN, an HTTP publish) is let in: the broker confirms, and the lane of
   * the room is not above its bound.
   */
  boolean acceptsNew(RoomId room);

  /** After how many ms a refused newcomer may try again; at least 1. */
  long retryAfterMillis();
}
