package dev.chatflow.server;

import dev.chatflow.room.CloseReason;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.Posts;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.function.BooleanSupplier;

/**
 * How a server is emptied: nothing more is read, what was accepted is shown, everyone is told when
 * to come back, and leaves. Nothing accepted is lost, and nobody is told to go before his messages
 * were shown; what is not done when its time is up is given up, as in the death of a server.
 *
 * <p>Passive: {@link #step} does what is due and waits for nothing. One thread.
 */
final class Drain {

  /** For clients to answer the close, behind what they were sending; for the last words. */
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(2);

  /** For what is left to be done when the rest was given up. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(3);

  /**
   * What is emptied.
   *
   * @param lanesAreEmpty whether all that was taken has come back to this server
   * @param farewell tells the other servers that this one goes; whether that is in the log
   * @param cursorsAreCaughtUp whether members have been written all that was shown
   */
  record Parts(
      ConnectionRegistry connections,
      Posts posts,
      BooleanSupplier lanesAreEmpty,
      BooleanSupplier farewell,
      BooleanSupplier cursorsAreCaughtUp) {}

  /** What is waited for, one behind the other. */
  private enum Stage {
    /** Balancers notice, and clients go by themselves. */
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
   * Begins.
   *
   * @param nowNanos on the clock of {@link #step}
   */
  Drain(Parts parts, ServerConfig.Drain bounds, long nowNanos) {
    this.parts = parts;
    this.endNanos = nowNanos + bounds.timeout().toNanos();
    this.untilNanos = nowNanos + bounds.delay().toNanos();
  }

  /** Does what is due; false while there is something to wait for. */
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

  /** Waits for nothing any more. */
  void hurry() {
    hurried = true;
  }

  /** Whether all that was accepted has been shown, so far. */
  boolean isShown() {
    return shown;
  }

  /** Whether nothing was given up, so far. */
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

  /** A lane that takes nothing now, as behind a late entry, is empty and has not said them yet. */
  private boolean areLeavesBack() {
    return parts.connections().owesNothing() && isBack();
  }

  private void end(boolean done) {
    switch (stage) {
      case DELAY, CLOSES_ANSWERED, FAREWELL -> {} // as long as it takes; nothing is lost
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
