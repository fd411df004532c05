package dev.chatflow.server.publish;

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
   * @param failures attempts that failed since the last confirm
   * @param why what was told last
   */
  private record Now(CircuitState state, int failures, String why) {}

  private final int failuresToOpen;
  private final AtomicReference<Now> now =
      new AtomicReference<>(new Now(CircuitState.OPEN, 0, "not connected yet"));

  /** Makes a circuit that is open, and opens after so many failures in a row; at least 1. */
  public Circuit(int failuresToOpen) {
    this.failuresToOpen = failuresToOpen;
  }

  public CircuitState state() {
    return now.get().state();
  }

  /** Why it is as it is, for operators: what was told last. */
  public String why() {
    return now.get().why();
  }

  public void connected() {
    change(_ -> new Now(CircuitState.HALF_OPEN, 0, "connected"));
  }

  public void lost(String why) {
    change(was -> new Now(CircuitState.OPEN, was.failures(), why));
  }

  /** An attempt failed. */
  public void failed(String why) {
    change(was -> {
      int failures = Math.min(was.failures() + 1, failuresToOpen);
      CircuitState state = failures == failuresToOpen ? CircuitState.OPEN : was.state();
      return new Now(state, failures, why);
    });
  }

  /** A confirm came; one of a connection that is lost never does. */
  public void confirmed() {
    Now was = now.get();
    if (was.state() != CircuitState.CLOSED || was.failures() > 0) {
      change(_ -> new Now(CircuitState.CLOSED, 0, "confirmed"));
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
