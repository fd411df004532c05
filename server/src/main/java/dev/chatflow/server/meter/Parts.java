package dev.chatflow.server.meter;

import dev.chatflow.presence.PresenceLimit;
import dev.chatflow.room.FanOut;
import dev.chatflow.room.Room;
import dev.chatflow.room.Rooms;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.publish.Publisher;
import dev.chatflow.server.sink.tomcat.Sinks;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of a server that keep figures, and sums over them. Thread-safe.
 *
 * @param rooms the rooms of each reader thread
 */
public record Parts(
    ConnectionRegistry connections,
    Posts posts,
    Publisher publisher,
    List<Rooms> rooms,
    PresenceLimit presence,
    FanOut fanOut,
    Sinks sinks) {

  /** Returns the rooms with members on this server. */
  public Stream<Room> occupiedRooms() {
    return rooms.stream()
        .flatMap(each -> each.all().stream())
        .filter(room -> room.memberCount() > 0);
  }

  /** Returns the number of rooms with members on this server. */
  public int occupiedRoomCount() {
    return rooms.stream().mapToInt(Rooms::occupied).sum();
  }

  public int memberCount() {
    return rooms.stream().mapToInt(Rooms::memberCount).sum();
  }

  /** Returns the bytes of room logs. */
  public long logBytes() {
    return rooms.stream().mapToLong(Rooms::logBytes).sum();
  }

  /** Returns the number of members that rooms closed as slow consumers. */
  public long slowClosed() {
    return rooms.stream().mapToLong(Rooms::slowClosed).sum();
  }
}
