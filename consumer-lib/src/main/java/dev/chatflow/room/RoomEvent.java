package dev.chatflow.room;

/** A message that is to be shown, as a room needs it. */
public sealed interface RoomEvent {

  /** What members will be shown. */
  Payload payload();

  /**
   * A JOIN that no newer one has beaten.
   *
   * @param session the connection that sent it
   * @param quiet whether only its own connection is shown it
   */
  record Joined(String userId, String session, boolean quiet, Payload payload)
      implements RoomEvent {}

  /**
   * A LEAVE, sent by the user or made by the server for a connection that ended.
   *
   * @param session the connection whose membership ends
   * @param quiet whether only its own connection is shown it
   */
  record Left(String userId, String session, boolean quiet, Payload payload) implements RoomEvent {}

  /** A TEXT. */
  record Said(Payload payload) implements RoomEvent {}
}
