package dev.chatflow.server.simulation;

import dev.chatflow.server.simulation.plan.Plan;
import dev.chatflow.server.simulation.plan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Removes steps from a failing plan while it still fails: halves first, single steps last. */
final class Shrinking {

  private final Predicate<Plan> fails;
  private final long endNanos;

  /**
   * @param bound maximum time
   */
  Shrinking(Predicate<Plan> fails, Duration bound) {
    this.fails = fails;
    this.endNanos = System.nanoTime() + bound.toNanos();
  }

  /** Returns the remaining plan. */
  Plan of(Plan plan) {
    Plan least = plan;
    for (int size = plan.steps().size() / 2; size > 0; size /= 2) {
      least = without(least, size);
    }
    return least;
  }

  private Plan without(Plan plan, int size) {
    Plan least = plan;
    int from = 0;
    while (from < least.steps().size() && System.nanoTime() < endNanos) {
      List<Step> steps = new ArrayList<>(least.steps());
      steps.subList(from, Math.min(from + size, steps.size())).clear();
      Plan fewer = least.with(steps);
      if (!steps.isEmpty() && fails.test(fewer)) { // no steps would mean all
        least = fewer;
      } else {
        from += size;
      }
    }
    return least;
  }
}
