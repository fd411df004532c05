package dev.chatflow.chat;

/**
 * What a program hears of a room: on the room's own virtual thread, in order. Who takes long slows
 * its room, and its server may close a connection that is not read; other rooms do not mind.
 */
@FunctionalInterface
public interface Listener {

  /** Each text of the room once, in its order. */
  void message(Room room, Message message);

  /**
   * Other people came or went, or the server has sent a list or a count. The first list includes
   * this user. Later changes of this user's own presence are not reported.
   */
  default void people(Room room, People.Change change) {}

  /**
   * The room is back, but some texts may be missing. {@link Room#older(int, Message)} reads those
   * that the server still has. The texts known after the gap follow, as {@link #message}.
   */
  default void gap(Room room, Room.Gap gap) {}

  default void state(Room room, State state) {}
}
