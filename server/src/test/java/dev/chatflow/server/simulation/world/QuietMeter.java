package dev.chatflow.server.simulation.world;

import dev.chatflow.log.ReaderMeter;

/** Counts nothing of a reader. An entry that nobody can read fails the seed. */
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
