package dev.chatflow.server.simulation;

import dev.chatflow.server.simulation.plan.Met;
import java.util.function.Function;

/**
 * Plays some steps of a seed, given as {@code SEED STEPS}. Created by name, in a separate class
 * loader.
 */
public final class PlanRun implements Function<String, String> {

  private final Met met = new Met();

  @Override
  public String apply(String replay) {
    String[] parts = replay.split(" ", 2);
    return Run.of(Replay.of(Long.parseLong(parts[0]), parts[1]).plan(), met).orEmpty();
  }
}
