package dev.chatflow.shard.people;

import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;

/** Says the LEAVEs of a lane that has fallen silent. The reader's thread calls; no call parks. */
public interface Survivor {

  /** Whether more LEAVEs are on their way than should be. */
  boolean isBusy(Shard shard);

  /** Somebody has left a room with his server. */
  void leaves(RoomId room, Person person);
}
