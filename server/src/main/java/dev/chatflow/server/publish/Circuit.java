package dev.chatflow.server.publish;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether publishes reach the broker. It decides only whether new clients are accepted,
 * never whether a lane sends.
 *
 * <p>Thread-safe. One immutable state, changed by compare-and-set; each change of {@link #state} is
 * logged in one line. Open from the start until the first connection; opens when the connection is
 * lost, or after a configured number of consecutive failed attempts of any lanes.
 */
public final class Circuit {

  private static final Logger log = LoggerFactory.getLogger(Circuit.class);

  /**
   * The current state.
   *
   * @param isConnected false from a loss until the next connection
   * @param failures failed attempts since the last confirm
   * @param why the last reported reason
   */
  private record Now(CircuitState state, boolean isConnected, int failures, String why) {}

  private final int failuresToOpen;
  private final AtomicReference<Now> now =
      new AtomicReference<>(new Now(CircuitState.OPEN, false, 0, "not connected yet"));

  /** Creates an open circuit that opens again after this many consecutive failures; at least 1. */
  public Circuit(int failuresToOpen) {
    this.failuresToOpen = failuresToOpen;
  }

  public CircuitState state() {
    return now.get().state();
  }

  /** Returns the last reported reason, for operators. */
  public String why() {
    return now.get().why();
  }

  public void connected() {
    change(_ -> new Now(CircuitState.HALF_OPEN, true, 0, "connected"));
  }

  public void lost(String why) {
    change(was -> new Now(CircuitState.OPEN, false, was.failures(), why));
  }

  /** Reports a failed attempt. */
  public void failed(String why) {
    change(was -> {
      int failures = Math.min(was.failures() + 1, failuresToOpen);
      CircuitState state = failures == failuresToOpen ? CircuitState.OPEN : was.state();
      return new Now(state, was.isConnected(), failures, why);
    });
  }

  /**
   * Reports a confirm. While there is no connection it counts for nothing: it arrived before the
   * loss, and its lane was slower to report it.
   */
  public void confirmed() {
    Now known = now.get();
    if (known.state() != CircuitState.CLOSED || known.failures() > 0) {
      change(was -> was.isConnected() ? new Now(CircuitState.CLOSED, true, 0, "confirmed") : was);
    }
  }

  private void change(UnaryOperator<Now> step) {
    Now was;
    Now next;
    do {
      was = now.get();
      next = step.apply(was);
    } while (!now.compareAndSet(was, next));
    if (was.state() != next.state()) {
      log.info("circuit {}, was {}: {}", next.state(), was.state(), next.why());
    }
  }
}
