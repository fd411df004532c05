package dev.chatflow.server.simulation.world;

import dev.chatflow.log.ReaderMeter;

/** Counts no events of a reader. An undecodable entry fails the seed. */
interface QuietMeter extends ReaderMeter {

  @Override
  default void passed(Passed why) {}

  @Override
  default void poison() {
    throw new AssertionError("poison");
  }

  @Override
  default void unacked(int change) {}
}
