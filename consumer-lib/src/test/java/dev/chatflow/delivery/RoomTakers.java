package dev.chatflow.delivery;

import dev.chatflow.log.LogReceiver;
import dev.chatflow.presence.ShardPresence;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.Shard;
import java.time.Duration;

/** Creates the object that takes lines to rooms, for tests of other packages. */
public final class RoomTakers {

  private RoomTakers() {}

  /** Counts nothing. */
  private static final class NoMeter implements RoomMeter {
    @Override
    public void append(Duration handOffToAppend) {}

    @Override
    public void consumed(int lines) {}

    @Override
    public void unshown(Unshown why) {}

    @Override
    public void gap() {}
  }

  public static LogReceiver of(
      Shard shard, Rooms rooms, Connections connections, ShardPresence presence) {
    return new RoomDelivery(
        shard, rooms, connections, presence, new QuietRooms(QuietRooms.OFF), new NoMeter());
  }
}
