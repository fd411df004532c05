package dev.chatflow.log;

import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The JOINs and LEAVEs of the window: which connection of a user ranks highest in a room, and which
 * connections have left.
 *
 * <p>One thread. Bounded by the lines of the window.
 */
final class WindowMemberships {

  private record User(RoomId room, UserDevice who) {}

  private record Join(User user, Stamp stamp, long position) {}

  private record Leave(User user, Stamp stamp) {}

  private record Left(Leave leave, long position) {}

  private final WindowPositions window;

  // In the order of their positions; per user only those that no later one outranks, greatest
  // first.
  private final ArrayDeque<Join> joins = new ArrayDeque<>();
  private final Map<User, ArrayDeque<Join>> greatest = new HashMap<>();

  private final ArrayDeque<Left> leaves = new ArrayDeque<>();
  private final Map<Leave, Long> lastLeft = new HashMap<>();

  WindowMemberships(WindowPositions window) {
    this.window = window;
  }

  /** Returns whether the window contains a JOIN of the user in the room with a higher rank. */
  boolean isSuperseded(RoomId room, UserDevice who, Stamp stamp) {
    forget();
    ArrayDeque<Join> ofUser = greatest.get(new User(room, who));
    return ofUser != null && ofUser.element().stamp().compareTo(stamp) > 0;
  }

  /** Adds a JOIN of the current entry. */
  void joined(RoomId room, UserDevice who, Stamp stamp) {
    forget();
    Join join = new Join(new User(room, who), stamp, window.position());
    ArrayDeque<Join> ofUser = greatest.computeIfAbsent(join.user(), _ -> new ArrayDeque<>(2));
    while (!ofUser.isEmpty() && ofUser.getLast().stamp().compareTo(stamp) <= 0) {
      ofUser.removeLast();
    }
    ofUser.addLast(join);
    joins.addLast(join);
  }

  /** Adds a LEAVE of the current entry; false if the window contains it already. */
  boolean left(RoomId room, UserDevice who, Stamp stamp) {
    forget();
    Leave leave = new Leave(new User(room, who), stamp);
    leaves.addLast(new Left(leave, window.position()));
    return lastLeft.put(leave, window.position()) == null;
  }

  private void forget() {
    while (!joins.isEmpty() && joins.element().position() < window.start()) {
      forget(joins.remove());
    }
    while (!leaves.isEmpty() && leaves.element().position() < window.start()) {
      Left oldest = leaves.remove();
      lastLeft.remove(oldest.leave(), oldest.position()); // otherwise it occurred again later
    }
  }

  @SuppressWarnings("ReferenceEquality") // the identical JOIN object
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
