package dev.chatflow.delivery;

import dev.chatflow.presence.Person;
import dev.chatflow.presence.ShardPresence.RoomSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a question who is in rooms, on all servers.
 *
 * @param <A> what was asked for
 */
public sealed interface PresenceAnswer<A> {

  /** It was answered. */
  record Answered<A>(A answer) implements PresenceAnswer<A> {}

  /**
   * It cannot be answered now.
   *
   * @param why for people
   */
  record NotNow<A>(String why) implements PresenceAnswer<A> {}

  /**
   * The people of a room.
   *
   * @param count all of them
   * @param complete whether those of all servers are known
   * @param members a part of them, by id as text
   * @param next behind whom the next part begins; null for the last one
   */
  record Room(int count, boolean complete, List<Person> members, @Nullable String next) {}

  /**
   * The rooms with people.
   *
   * @param complete whether those of all servers are known
   * @param rooms a part of them, by id as text
   * @param next behind which the next part begins; null for the last one
   */
  record Rooms(boolean complete, List<RoomSize> rooms, @Nullable String next) {}
}
