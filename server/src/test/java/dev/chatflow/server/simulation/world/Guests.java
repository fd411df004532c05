package dev.chatflow.server.simulation.world;

import dev.chatflow.log.LogReceiver;
import dev.chatflow.presence.ShardPresence;

/** The users of one server: they receive what its reader reads, and are judged at the end. */
public interface Guests extends LogReceiver {

  /** Returns the members of the rooms, as its reader knows them. */
  ShardPresence presence();

  /** Does the work that is due; returns the ns until the next. */
  long step(long now);

  /** Handles the death of the server. */
  void killed();

  /** Starts a drain of the server; returns whether it can be drained. */
  boolean drain(Runnable over);

  /** Returns whether none of their lines is in flight. */
  boolean areSettled();
}
