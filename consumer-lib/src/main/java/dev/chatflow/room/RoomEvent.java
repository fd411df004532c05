package dev.chatflow.room;

import dev.chatflow.room.log.Payload;

/** A message that came back from the broker, as a room needs it. */
public sealed interface RoomEvent {

  /** 1 to 100000. */
  int userId();

  /** What members will be shown. */
  Payload payload();

  /** A JOIN. */
  record Joined(int userId, String username, JoinStamp stamp, Payload payload)
      implements RoomEvent {}

  /**
   * A LEAVE, sent by the user or made by the server for a connection that ended.
   *
   * @param session the connection whose membership ends
   */
  record Left(int userId, String session, Payload payload) implements RoomEvent {}

  /**
   * A TEXT.
   *
   * @param idHash 64-bit hash of its message id
   */
  record Said(int userId, long idHash, Payload payload) implements RoomEvent {}
}
