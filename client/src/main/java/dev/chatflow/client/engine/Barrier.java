package dev.chatflow.client.engine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serialises the JOINs and later the LEAVEs of one room: the next user joins or leaves when all
 * present members have received the last. Only so is the number of deliveries exact with members on
 * several servers. In a large, quiet room only the user itself receives it. A rejected user is
 * waited for until the first of the room is turned away; from then on each tries once.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Barrier {
  private final List<User> users;
  private final Turn turn;
  private final long timeoutNanos;

  private int cursor;
  private @Nullable User current;
  private long deadlineNanos;
  private boolean turnsAway;

  Barrier(List<User> users, Turn turn, Duration timeout) {
    this.users = users;
    this.turn = turn;
    timeoutNanos = timeout.toNanos();
  }

  boolean joinTick(long now, int present) {
    User waiting = current;
    if (waiting != null && !turn.isOver()) {
      waiting.tick(now);
      if (turnsAway && waiting.isJoinRefused()) {
        waiting.turnAway(now);
      }
      if (waiting.isTurnedAway()) {
        turnsAway = true;
        turn.end();
      }
    }
    while (isFree(now)) {
      User next = nextIn(UserState.OPEN);
      if (next == null) {
        cursor = 0;
        return true;
      }
      await(next, present + 1, now);
      next.writeJoin(now);
    }
    return false;
  }

  boolean leaveTick(long now, int present) {
    while (isFree(now)) {
      User next = nextIn(UserState.JOINED);
      if (next == null) {
        return true;
      }
      await(next, present, now);
      next.writeLeave(UserState.Event.LEAVE, now);
    }
    return false;
  }

  private boolean isFree(long now) {
    if (now >= deadlineNanos) {
      turn.end();
    }
    return turn.isOver();
  }

  private void await(User user, int copies, long now) {
    current = user;
    turn.begin(user.member(), copies);
    deadlineNanos = now + timeoutNanos;
  }

  private @Nullable User nextIn(UserState state) {
    while (cursor < users.size()) {
      User user = users.get(cursor++);
      if (user.state() == state) {
        return user;
      }
    }
    return null;
  }
}
