package dev.chatflow.client.engine;

import org.jspecify.annotations.Nullable;

/**
 * Whose JOIN or LEAVE the users of a room wait for, and how many have still to see it.
 *
 * <p>Belongs to the load thread of the room.
 */
final class Turn {
  private @Nullable Member current;
  private int awaited;

  void begin(Member member, int copies) {
    current = member;
    awaited = copies;
  }

  /** One member has seen the JOIN or LEAVE of this one. */
  void seen(Member sender) {
    if (sender == current && --awaited == 0) {
      end();
    }
  }

  /** This member has seen its JOIN or LEAVE, and no one else will. */
  void seenAlone(Member sender) {
    if (sender == current) {
      end();
    }
  }

  void end() {
    current = null;
  }

  boolean isOver() {
    return current == null;
  }
}
