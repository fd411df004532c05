package dev.chatflow.delivery;

import dev.chatflow.room.RoomId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rooms so large that a JOIN or LEAVE is shown only to its own connection. A room becomes quiet
 * at a number of members on all servers, and stops being quiet when it has a tenth fewer.
 *
 * <p>Readers' threads report sizes; any thread may query. Bounded by the number of rooms of that
 * size.
 */
public final class QuietRooms {

  /** No room becomes quiet. */
  public static final int OFF = Integer.MAX_VALUE;

  private final int members;
  private final Set<RoomId> quiet = ConcurrentHashMap.newKeySet();

  /**
   * @param members number of members at which a room becomes quiet; {@link #OFF} for never
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

  /** Returns whether a JOIN or LEAVE accepted now is shown only to its own connection. */
  public boolean isQuiet(RoomId room) {
    return quiet.contains(room);
  }
}
