package dev.chatflow.server.publish.channel;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether publishes reach the broker now: decides only whether newcomers are let in, never whether
 * a lane sends.
 *
 * <p>Any thread. One immutable state, changed by compare-and-set; each change of {@link #state} is
 * one log line. Open from the start until the first connection; opens when the connection is lost
 * or when so many attempts of any lanes failed in a row as its maker says.
 */
public final class Circuit {

  private static final Logger log = LoggerFactory.getLogger(Circuit.class);

  /**
   * What is known.
   *
   * @param connection counts connections and losses: a confirm by an earlier one says nothing
   * @param failures attempts that failed since the last confirm
   */
  private record Now(CircuitState state, int connection, int failures) {}

  private final int failuresToOpen;
  private final AtomicReference<Now> now = new AtomicReference<>(new Now(CircuitState.OPEN, 0, 0));

  /** Makes a circuit that is open, and opens after so many failures in a row; at least 1. */
  public Circuit(int failuresToOpen) {
    this.failuresToOpen = failuresToOpen;
  }

  public CircuitState state() {
    return now.get().state();
  }

  /** Names the present connection, for {@link #confirmed}. */
  public int connection() {
    return now.get().connection();
  }

  public void connected() {
    change(was -> new Now(CircuitState.HALF_OPEN, was.connection() + 1, 0), "connected");
  }

  public void lost(String why) {
    change(was -> new Now(CircuitState.OPEN, was.connection() + 1, was.failures()), why);
  }

  /** An attempt failed. */
  public void failed(String why) {
    change(
        was -> {
          int failures = Math.min(was.failures() + 1, failuresToOpen);
          boolean open = failures == failuresToOpen;
          return new Now(open ? CircuitState.OPEN : was.state(), was.connection(), failures);
        },
        why);
  }

  /** A confirm came over a connection named before the publish. */
  public void confirmed(int connection) {
    Now was = now.get();
    boolean isNews = was.state() != CircuitState.CLOSED || was.failures() > 0;
    if (isNews && was.connection() == connection) {
      change(
          last ->
              last.connection() == connection ? new Now(CircuitState.CLOSED, connection, 0) : last,
          "confirmed");
    }
  }

  private void change(UnaryOperator<Now> step, String why) {
    Now was;
    Now next;
    do {
      was = now.get();
      next = step.apply(was);
    } while (!now.compareAndSet(was, next));
    if (was.state() != next.state()) {
      log.info("circuit {}, was {}: {}", next.state(), was.state(), why);
    }
  }
}
