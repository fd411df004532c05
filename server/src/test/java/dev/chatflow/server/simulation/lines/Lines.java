package dev.chatflow.server.simulation.lines;

import dev.chatflow.server.simulation.plan.Step;
import dev.chatflow.server.simulation.world.Cast;
import dev.chatflow.server.simulation.world.Guests;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.World;

/** Users of single servers that send lines without rooms or connections. */
public final class Lines implements Cast {

  private final World world;

  public Lines(World world) {
    this.world = world;
  }

  @Override
  public Guests guests(SimulatedServer server) {
    return new Users(world, server);
  }

  @Override
  public void act(Step step, SimulatedServer server) {
    ((Users) server.guests()).act(step);
  }

  @Override
  public boolean isSettled() {
    return true;
  }

  @Override
  public void logWasCut() {}
}
