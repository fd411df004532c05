package dev.chatflow.chat;

/**
 * What a program hears of a room: on the room's own virtual thread, in order. Who takes long slows
 * its room, and its server may close a connection that is not read; other rooms do not mind.
 */
@FunctionalInterface
public interface Listener {

  /** Each text of the room once, in its order. */
  void message(Room room, Message message);

  /** Somebody came or went, or the server has said how many are there. */
  default void people(Room room, People.Change change) {}

  /** One is back in the room, but some texts of the time before may be missing. */
  default void gap(Room room) {}

  default void state(Room room, State state) {}
}
