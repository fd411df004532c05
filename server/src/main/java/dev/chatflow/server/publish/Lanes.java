package dev.chatflow.server.publish;

import dev.chatflow.room.RoomId;
import java.util.function.LongFunction;

/** Where messages go: the lane of their shard. Any thread; no call parks its caller. */
public interface Lanes {

  /**
   * Offers a line, see {@link Offer}.
   *
   * @param line makes it once it is certain to be taken, given the number it may name; called
   *     within the lane's lock, so that of two lines the one that was stamped first stands first
   */
  Offer offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender);

  /**
   * Whether a newcomer (a JOIN, an HTTP publish) is let in: the broker confirms, and the lane of
   * the room is not above its bound.
   */
  boolean acceptsNew(RoomId room);

  /** Somebody will soon send to the room: its log is attached, if it is not. */
  void use(RoomId room);

  /**
   * For how many ns newcomers to the room have been taken without a break, to a second; 0 while
   * they are not. A shard that nobody uses rests, and takes nobody.
   */
  long openNanos(RoomId room, long nowNanos);

  /** After how many ms a refused newcomer may try again; at least 1. */
  long retryAfterMillis();
}
