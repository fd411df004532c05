package dev.chatflow.chat;

/**
 * Receives the events of a room, in order, on the room's own virtual thread. A slow listener delays
 * only its own room; the server may close a connection that is not read.
 */
@FunctionalInterface
public interface Listener {

  /** Receives each text of the room once, in the room's order. */
  void message(Room room, Message message);

  /** Receives the signals of all members, this user included, while the room is joined. */
  default void signal(Room room, Signal signal) {}

  /**
   * Reports that other users came with their first device or left with their last, or that the
   * server sent a list or a count. The first list includes this user. Later changes of this user's
   * own presence are not reported.
   */
  default void people(Room room, People.Change change) {}

  /**
   * Reports that the room is back and some texts may be missing. {@link Room#older(int, Message)}
   * reads those that the server still has. The texts known after the gap follow, as {@link
   * #message}.
   */
  default void gap(Room room, Room.Gap gap) {}

  default void state(Room room, State state) {}
}
