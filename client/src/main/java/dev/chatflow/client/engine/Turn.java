package dev.chatflow.client.engine;

import org.jspecify.annotations.Nullable;

/**
 * The user whose JOIN or LEAVE a room waits for, and the number of members that have not received
 * it.
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

  /** Records that one member received this sender's JOIN or LEAVE. */
  void seen(Member sender) {
    if (sender == current && --awaited == 0) {
      end();
    }
  }

  /** Records a quiet JOIN or LEAVE, which only its sender receives. */
  void quietSeen(Member sender) {
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
