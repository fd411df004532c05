package dev.chatflow.room;

import org.jspecify.annotations.Nullable;

/** A message that is to be shown, as a room needs it. */
public sealed interface RoomEvent {

  /** What members will be shown. */
  Payload payload();

  /**
   * A JOIN that no newer one has beaten.
   *
   * @param connectionId the connection that sent it
   * @param quiet whether only its own connection is shown it
   * @param newcomer that connection, or null if it is another server's
   */
  record Joined(
      String userId,
      String connectionId,
      boolean quiet,
      Payload payload,
      @Nullable Newcomer newcomer)
      implements RoomEvent {}

  /**
   * A connection of this server that becomes a member.
   *
   * @param past what its JOIN asks to be shown of what was said before it
   */
  record Newcomer(Member member, Past past) {}

  /**
   * A LEAVE, sent by the user or made by the server for a connection that ended.
   *
   * @param connectionId the connection whose membership ends
   * @param quiet whether only its own connection is shown it
   */
  record Left(String userId, String connectionId, boolean quiet, Payload payload)
      implements RoomEvent {}

  /** A TEXT. */
  record Said(Payload payload) implements RoomEvent {}
}
