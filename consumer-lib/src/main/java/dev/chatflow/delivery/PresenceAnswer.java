package dev.chatflow.delivery;

import dev.chatflow.presence.ShardPresence.RoomSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request for the members of rooms on all servers.
 *
 * @param <A> the requested list
 */
public sealed interface PresenceAnswer<A> {

  /** The list. */
  record Answered<A>(A answer) implements PresenceAnswer<A> {}

  /**
   * The request cannot be answered now.
   *
   * @param why the reason for people
   */
  record NotNow<A>(String why) implements PresenceAnswer<A> {}

  /**
   * The users in a room.
   *
   * @param count number of all users
   * @param complete whether the users of all servers are known
   * @param users one part of them, sorted by id as text
   * @param next the id after which the next part begins; null for the last part
   */
  record Room(int count, boolean complete, List<PresentUser> users, @Nullable String next) {}

  /**
   * The rooms with members.
   *
   * @param complete whether the members of all servers are known
   * @param rooms one part of them, sorted by id as text
   * @param next the id after which the next part begins; null for the last part
   */
  record Rooms(boolean complete, List<RoomSize> rooms, @Nullable String next) {}
}
