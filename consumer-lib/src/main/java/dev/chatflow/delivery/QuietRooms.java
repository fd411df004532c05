package dev.chatflow.delivery;

import dev.chatflow.room.RoomId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which rooms are so large that who enters and leaves is told to nobody else: from a number of
 * members on all servers on, until there are a tenth fewer.
 *
 * <p>Readers' threads see sizes, any thread asks. Bounded by the rooms of that size.
 */
public final class QuietRooms {

  /** No room is so large. */
  public static final int OFF = Integer.MAX_VALUE;

  private final int members;
  private final Set<RoomId> quiet = ConcurrentHashMap.newKeySet();

  /**
   * @param members from so many on a room is quiet; {@link #OFF} for none
   */
  public QuietRooms(int members) {
    this.members = members;
  }

  void see(RoomId room, int size) {
    if (size >= members) {
      quiet.add(room);
    } else if (size < members - members / 10 && !quiet.isEmpty()) {
      quiet.remove(room);
    }
  }

  /** Whether a JOIN or LEAVE that is taken now is shown to its own connection alone. */
  public boolean isQuiet(RoomId room) {
    return quiet.contains(room);
  }
}
