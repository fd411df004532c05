package dev.chatflow.server.publish;

import dev.chatflow.room.RoomId;
import java.util.function.LongFunction;

/** Accepts messages for the lanes of their shards. Thread-safe; no call parks its caller. */
public interface Lanes {

  /**
   * Offers a line, see {@link OfferResult}.
   *
   * @param line builds it once it is certain to be accepted, given the number it may name; called
   *     within the lane's lock, so that of two lines the one stamped first is first
   */
  OfferResult offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender);

  /**
   * Returns whether a new client (a JOIN, a post) is accepted: the broker confirms, and the lane of
   * the room is not above its bound.
   */
  boolean acceptsNew(RoomId room);

  /** Prepares for messages to the room: its log is attached if necessary. */
  void use(RoomId room);

  /**
   * Returns for how many ns new clients of the room have been accepted without a break, to a
   * second; 0 while they are not. An unused shard accepts none.
   */
  long openNanos(RoomId room, long nowNanos);

  /** Returns the ms after which a rejected client may try again; at least 1. */
  long retryAfterMillis();
}
