package dev.chatflow.presence;

import dev.chatflow.room.RoomId;

/** Says the LEAVEs of a lane that is gone. The reader's thread calls; no call parks. */
public interface OrphanedLeaves {

  /** Whether more LEAVEs are on their way than should be. */
  boolean isBusy();

  /** Somebody has left a room with his server: that is said until it has been read. */
  void leaves(RoomId room, Person person);
}
