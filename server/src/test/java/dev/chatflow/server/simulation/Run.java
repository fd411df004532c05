package dev.chatflow.server.simulation;

import dev.chatflow.server.simulation.crowd.Crowd;
import dev.chatflow.server.simulation.lines.Lines;
import dev.chatflow.server.simulation.oracle.Judge;
import dev.chatflow.server.simulation.plan.Met;
import dev.chatflow.server.simulation.plan.Plan;
import dev.chatflow.server.simulation.plan.Spoiled;
import dev.chatflow.server.simulation.plan.Trace;
import dev.chatflow.server.simulation.world.Cast;
import dev.chatflow.server.simulation.world.World;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run.
 *
 * @param failure why it failed, or null
 * @param trace the events, if requested
 */
record Run(@Nullable String failure, List<String> trace) {

  /** Plays a plan. */
  static Run of(Plan plan, Met met, Spoiled spoiled, boolean traced) {
    Trace trace = new Trace(traced);
    String failure = null;
    try {
      World world = new World(plan, met, trace, spoiled, Run::cast);
      world.run();
      new Judge(world).judge();
    } catch (AssertionError | RuntimeException e) {
      failure = String.valueOf(e.getMessage() == null ? e : e.getMessage());
    }
    return new Run(failure, trace.lines());
  }

  private static Cast cast(World world) {
    return world.plan().isCrowded() ? new Crowd(world) : new Lines(world);
  }

  /** Returns why it failed; empty if it held. */
  String orEmpty() {
    return failure == null ? "" : failure;
  }

  static Run of(Plan plan, Met met) {
    return of(plan, met, Spoiled.NOTHING, false);
  }
}
