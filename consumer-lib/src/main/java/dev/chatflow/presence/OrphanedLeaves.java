package dev.chatflow.presence;

import dev.chatflow.room.RoomId;

/**
 * Publishes the LEAVEs of members whose server was lost. The reader's thread calls; no call parks.
 */
public interface OrphanedLeaves {

  /** Returns whether enough of these LEAVEs are in flight. */
  boolean isBusy();

  /** Publishes a LEAVE, repeatedly, until it has been read. */
  void leaves(RoomId room, Person person);
}
