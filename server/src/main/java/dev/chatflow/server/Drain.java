package dev.chatflow.server;

import dev.chatflow.room.CloseReason;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.Posts;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.function.BooleanSupplier;

/**
 * Drains a server: it stops reading, shows every accepted message, asks all clients to reconnect,
 * and leaves. No accepted message is lost, and no client is asked to go before its messages were
 * shown. If its time is up, the rest is given up, as in a crash.
 *
 * <p>Passive: {@link #step} does the work that is due and never waits. One thread.
 */
final class Drain {

  /**
   * Time for clients to answer the close after their remaining messages, and for the final
   * announcement.
   */
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(2);

  /** Time for the remaining steps after the rest was given up. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(3);

  /**
   * The parts to drain.
   *
   * @param lanesAreEmpty whether all accepted messages have come back to this server
   * @param farewell announces to the other servers that this one stops; returns whether it is in
   *     the log
   * @param cursorsAreCaughtUp whether members have been sent everything shown
   */
  record Parts(
      ConnectionRegistry connections,
      Posts posts,
      BooleanSupplier lanesAreEmpty,
      BooleanSupplier farewell,
      BooleanSupplier cursorsAreCaughtUp) {}

  /** The conditions to wait for, one after another. */
  private enum Stage {
    /** Balancers notice, and clients leave by themselves. */
    DELAY,
    BACK,
    SHOWN,
    POSTS_ANSWERED,
    GONE,
    LEAVES_BACK,
    CLOSES_ANSWERED,
    FAREWELL,
    OVER
  }

  private final Parts parts;
  private final long endNanos;
  private final Iterator<Stage> rest = EnumSet.range(Stage.BACK, Stage.OVER).iterator();
  private Stage stage = Stage.DELAY;
  private long untilNanos;
  private boolean hurried;
  private boolean shown = true;
  private boolean complete = true;

  /**
   * Begins the drain.
   *
   * @param nowNanos on the clock of {@link #step}
   */
  Drain(Parts parts, ServerConfig.Drain bounds, long nowNanos) {
    this.parts = parts;
    this.endNanos = nowNanos + bounds.timeout().toNanos();
    this.untilNanos = nowNanos + bounds.delay().toNanos();
  }

  /** Does the work that is due; false while there is something to wait for. */
  boolean step(long nowNanos) {
    while (stage != Stage.OVER) {
      boolean done = isDone();
      if (!done && !hurried && nowNanos - untilNanos < 0) {
        return false;
      }
      end(done);
      stage = rest.next();
      untilNanos = nowNanos + patience(endNanos - nowNanos);
      begin();
    }
    return true;
  }

  /** Stops waiting. */
  void hurry() {
    hurried = true;
  }

  /** Returns whether every accepted message has been shown so far. */
  boolean isShown() {
    return shown;
  }

  /** Returns whether nothing was given up so far. */
  boolean isComplete() {
    return complete;
  }

  private boolean isDone() {
    return switch (stage) {
      case DELAY, GONE -> parts.connections().size() == 0;
      case BACK -> isBack();
      case SHOWN -> isShownToAll();
      case POSTS_ANSWERED -> parts.posts().areAnswered();
      case LEAVES_BACK -> !shown || areLeavesBack();
      case CLOSES_ANSWERED -> parts.connections().haveAnswered();
      case FAREWELL -> parts.farewell().getAsBoolean();
      case OVER -> true;
    };
  }

  private boolean isBack() {
    return parts.lanesAreEmpty().getAsBoolean();
  }

  private boolean isShownToAll() {
    return !shown || parts.cursorsAreCaughtUp().getAsBoolean();
  }

  /**
   * Returns whether all LEAVEs are back. A lane that accepts nothing now, as after a late entry, is
   * empty and has not published them yet.
   */
  private boolean areLeavesBack() {
    return parts.connections().owesNothing() && isBack();
  }

  private void end(boolean done) {
    switch (stage) {
      case DELAY, CLOSES_ANSWERED, FAREWELL -> {} // without a limit; nothing can be lost
      case BACK, SHOWN -> {
        if (!done) {
          giveUp();
        }
      }
      default -> complete &= done;
    }
  }

  private void giveUp() {
    shown = false;
    complete = false;
    parts.connections().giveUp();
    parts.posts().giveUp();
  }

  private void begin() {
    switch (stage) {
      case BACK -> {
        parts.connections().stopReading();
        parts.posts().stop();
      }
      case GONE -> parts.connections().closeAll(CloseReason.GOING_AWAY);
      default -> {}
    }
  }

  private long patience(long leftNanos) {
    return switch (stage) {
      case POSTS_ANSWERED, GONE -> shown ? leftNanos : LAST_PATIENCE.toNanos();
      case CLOSES_ANSWERED, FAREWELL -> Math.min(ANSWER_PATIENCE.toNanos(), leftNanos);
      default -> leftNanos;
    };
  }
}
