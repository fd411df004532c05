package dev.chatflow.server.simulation.world;

import dev.chatflow.server.simulation.plan.Step;

/** Who uses the servers of a run. */
public interface Cast {

  /** Whoever uses one server, from its birth on. */
  Guests guests(SimulatedServer server);

  /**
   * Does a step of theirs.
   *
   * @param server which the step concerns
   */
  void act(Step step, SimulatedServer server);

  /** Nothing of theirs is on its way between servers. */
  boolean isSettled();

  /** The log lost its end. */
  void logWasCut();
}
