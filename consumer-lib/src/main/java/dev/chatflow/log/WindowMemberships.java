package dev.chatflow.log;

import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The JOINs and LEAVEs of the window: which connection of a user and device ranks highest in a
 * room, and which connections have left.
 *
 * <p>One thread. Bounded by the lines of the window.
 */
final class WindowMemberships {

  private record Member(RoomId room, UserDevice who) {}

  private record Join(Member member, Stamp stamp, long position) {}

  private record Leave(Member member, Stamp stamp) {}

  private record Left(Leave leave, long position) {}

  private final WindowPositions window;

  // In the order of their positions; per member only those that no later one outranks, greatest
  // first.
  private final ArrayDeque<Join> joins = new ArrayDeque<>();
  private final Map<Member, ArrayDeque<Join>> greatest = new HashMap<>();

  private final ArrayDeque<Left> leaves = new ArrayDeque<>();
  private final Map<Leave, Long> lastLeft = new HashMap<>();

  WindowMemberships(WindowPositions window) {
    this.window = window;
  }

  /** Returns whether the window contains a JOIN of the member with a higher rank. */
  boolean isSuperseded(RoomId room, UserDevice who, Stamp stamp) {
    forget();
    ArrayDeque<Join> ofMember = greatest.get(new Member(room, who));
    return ofMember != null && ofMember.element().stamp().compareTo(stamp) > 0;
  }

  /** Adds a JOIN of the current entry. */
  void joined(RoomId room, UserDevice who, Stamp stamp) {
    forget();
    Join join = new Join(new Member(room, who), stamp, window.position());
    ArrayDeque<Join> ofMember = greatest.computeIfAbsent(join.member(), _ -> new ArrayDeque<>(2));
    while (!ofMember.isEmpty() && ofMember.getLast().stamp().compareTo(stamp) <= 0) {
      ofMember.removeLast();
    }
    ofMember.addLast(join);
    joins.addLast(join);
  }

  /** Adds a LEAVE of the current entry; false if the window contains it already. */
  boolean left(RoomId room, UserDevice who, Stamp stamp) {
    forget();
    Leave leave = new Leave(new Member(room, who), stamp);
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
    ArrayDeque<Join> ofMember = greatest.get(oldest.member());
    if (ofMember != null && ofMember.element() == oldest) {
      ofMember.remove();
      if (ofMember.isEmpty()) {
        greatest.remove(oldest.member());
      }
    }
  }
}
