package dev.chatflow.room;

import org.jspecify.annotations.Nullable;

/** A message to be shown in a room. */
public sealed interface RoomEvent {

  /** Returns the frame that members get. */
  Payload payload();

  /**
   * A JOIN that no newer one has superseded.
   *
   * @param connectionId the connection that sent it
   * @param quiet whether only its own connection is shown it
   * @param newcomer that connection, or null if it belongs to another server
   */
  record Joined(
      UserDevice who,
      String connectionId,
      boolean quiet,
      Payload payload,
      @Nullable Newcomer newcomer)
      implements RoomEvent {}

  /**
   * A connection of this server that becomes a member.
   *
   * @param past the earlier frames that its JOIN requests
   */
  record Newcomer(Member member, Past past) {}

  /**
   * A LEAVE, sent by the user or made by the server for a connection that ended.
   *
   * @param connectionId the connection whose membership ends
   * @param quiet whether only its own connection is shown it
   */
  record Left(UserDevice who, String connectionId, boolean quiet, Payload payload)
      implements RoomEvent {}

  /** A TEXT. */
  record Said(Payload payload) implements RoomEvent {}

  /** A SIGNAL: only for members that are connected now. */
  record Signalled(Payload payload) implements RoomEvent {}
}
