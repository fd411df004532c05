package dev.chatflow.server.simulation;

import dev.chatflow.server.simulation.plan.Met;
import dev.chatflow.server.simulation.plan.Plan;
import java.util.function.LongFunction;

/** Plays a seed. Created by name, in a separate class loader. */
public final class SeedRun implements LongFunction<String> {

  private final Met met = new Met();

  @Override
  public String apply(long seed) {
    return Run.of(Plan.of(seed), met).orEmpty();
  }
}
