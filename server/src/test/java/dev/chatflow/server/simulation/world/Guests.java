package dev.chatflow.server.simulation.world;

import dev.chatflow.log.Taker;
import dev.chatflow.presence.ShardPresence;

/** Whoever uses one server: is handed what its reader reads, and is judged at the end. */
public interface Guests extends Taker {

  /** Who is in the rooms, as its reader knows. */
  ShardPresence presence();

  /** Does what is due, and says in how many ns something will be. */
  long step(long now);

  /** The server dies. */
  void killed();

  /** The server is drained; true when it can be. */
  boolean drain(Runnable over);

  /** Nothing of theirs is on its way. */
  boolean areSettled();
}
