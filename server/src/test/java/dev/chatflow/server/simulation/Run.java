package dev.chatflow.server.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one run.
 *
 * @param failure why it failed, or null
 * @param trace what happened, when it was asked for
 */
record Run(@Nullable String failure, List<String> trace) {

  /** Plays a plan. */
  static Run of(Plan plan, Met met, Spoiled spoiled, boolean traced) {
    Trace trace = new Trace(traced);
    String failure = null;
    try {
      new World(plan, met, trace, spoiled).run();
    } catch (AssertionError | RuntimeException e) {
      failure = String.valueOf(e.getMessage() == null ? e : e.getMessage());
    }
    return new Run(failure, trace.lines());
  }

  /** Why it failed; empty when it held. */
  String orEmpty() {
    return failure == null ? "" : failure;
  }

  static Run of(Plan plan, Met met) {
    return of(plan, met, Spoiled.NOTHING, false);
  }
}
