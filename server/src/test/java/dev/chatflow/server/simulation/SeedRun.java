package dev.chatflow.server.simulation;

import dev.chatflow.server.simulation.plan.Met;
import dev.chatflow.server.simulation.plan.Plan;
import java.util.function.BiFunction;

/**
 * Plays a seed, counts its events, and returns why it fails; empty if it holds. Created by name, in
 * a separate class loader.
 */
public final class SeedRun implements BiFunction<Long, Met, String> {

  @Override
  public String apply(Long seed, Met met) {
    return Run.of(Plan.of(seed), met).orEmpty();
  }
}
