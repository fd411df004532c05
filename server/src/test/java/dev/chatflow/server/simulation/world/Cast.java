package dev.chatflow.server.simulation.world;

import dev.chatflow.server.simulation.plan.Step;

/** The users of the servers of a run. */
public interface Cast {

  /** Creates the users of one server, at its birth. */
  Guests guests(SimulatedServer server);

  /**
   * Executes a step of the users.
   *
   * @param server the server of the step
   */
  void act(Step step, SimulatedServer server);

  /** Returns whether none of their lines is in flight between servers. */
  boolean isSettled();

  /** Reports that the log lost its end. */
  void logWasCut();
}
