package dev.chatflow.log;

import dev.chatflow.room.RoomId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The JOINs and LEAVEs of the window: which connection of a user ranks highest in a room, and which
 * have left it.
 *
 * <p>One thread. Bounded by the lines of the window.
 */
final class Stays {

  private record User(RoomId room, String userId) {}

  private record Join(User user, Stamp stamp, long position) {}

  private record Leave(User user, Stamp stamp) {}

  private record Left(Leave leave, long position) {}

  private final WindowPositions window;

  // In the order of their places; of a user only those that no later one outranks, greatest first.
  private final ArrayDeque<Join> joins = new ArrayDeque<>();
  private final Map<User, ArrayDeque<Join>> greatest = new HashMap<>();

  private final ArrayDeque<Left> leaves = new ArrayDeque<>();
  private final Map<Leave, Long> lastLeft = new HashMap<>();

  Stays(WindowPositions window) {
    this.window = window;
  }

  /** Whether the window holds a JOIN of the user in the room that ranks above this one. */
  boolean isSuperseded(RoomId room, String userId, Stamp stamp) {
    forget();
    ArrayDeque<Join> ofUser = greatest.get(new User(room, userId));
    return ofUser != null && ofUser.element().stamp().compareTo(stamp) > 0;
  }

  /** Remembers a JOIN of the entry in hand. */
  void joined(RoomId room, String userId, Stamp stamp) {
    forget();
    Join join = new Join(new User(room, userId), stamp, window.position());
    ArrayDeque<Join> ofUser = greatest.computeIfAbsent(join.user(), _ -> new ArrayDeque<>(2));
    while (!ofUser.isEmpty() && ofUser.getLast().stamp().compareTo(stamp) <= 0) {
      ofUser.removeLast();
    }
    ofUser.addLast(join);
    joins.addLast(join);
  }

  /** Remembers a LEAVE of the entry in hand; false when the window holds it already. */
  boolean left(RoomId room, String userId, Stamp stamp) {
    forget();
    Leave leave = new Leave(new User(room, userId), stamp);
    leaves.addLast(new Left(leave, window.position()));
    return lastLeft.put(leave, window.position()) == null;
  }

  private void forget() {
    while (!joins.isEmpty() && joins.element().position() < window.start()) {
      forget(joins.remove());
    }
    while (!leaves.isEmpty() && leaves.element().position() < window.start()) {
      Left oldest = leaves.remove();
      lastLeft.remove(oldest.leave(), oldest.position()); // else it was met again later
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very same JOIN
  private void forget(Join oldest) {
    ArrayDeque<Join> ofUser = greatest.get(oldest.user());
    if (ofUser != null && ofUser.element() == oldest) {
      ofUser.remove();
      if (ofUser.isEmpty()) {
        greatest.remove(oldest.user());
      }
    }
  }
}
