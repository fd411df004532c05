package dev.chatflow.server.publish;

import dev.chatflow.room.Shard;

/** Names a lane among all servers and boots; as text, the value of the lane header. */
record LaneId(String serverId, long bootEpoch, Shard shard) {

  @Override
  public String toString() {
    return serverId + "/" + bootEpoch + "/" + shard.index();
  }
}
