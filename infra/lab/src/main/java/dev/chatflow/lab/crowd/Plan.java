package dev.chatflow.lab.crowd;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a crowd, their servers and their messages. Member i is in room i mod {@code
 * rooms}.
 *
 * @param wire the protocol of all servers
 * @param servers addresses, whose paths are ignored
 * @param speakersAt the server of all speakers; null to distribute them as all others
 * @param connectRate connections per second; 0 for as fast as possible
 * @param firstRoom number of the first room, so that several crowds have separate rooms
 * @param rooms number of rooms
 * @param members of each room, speakers included
 * @param speakers of each room: its first members
 * @param bytes length of a message's text
 */
record Plan(
    Wire wire,
    List<String> servers,
    @Nullable String speakersAt,
    double connectRate,
    int firstRoom,
    int rooms,
    int members,
    int speakers,
    int bytes) {

  /** The first user id, with as many digits as the others, so that fields have fixed offsets. */
  private static final int FIRST_USER = 1000;

  /** Maximum members: a message contains its sender in four hexadecimal digits. */
  private static final int MOST = 1 << 16;

  Plan {
    if (rooms < 1
        || members < 1
        || (long) rooms * members > MOST
        || speakers > members
        || bytes < Saying.SHORTEST
        || connectRate < 0
        || servers.isEmpty()) {
      throw new IllegalArgumentException(
          "A crowd needs a server, a room, a member, at most as many speakers as members, at"
              + " most %d members in all and %d bytes or more.".formatted(MOST, Saying.SHORTEST));
    }
    servers = List.copyOf(servers);
  }

  int all() {
    return rooms * members;
  }

  int roomOf(int number) {
    return number % rooms;
  }

  /** Returns the index of a member in its room. */
  int indexOf(int number) {
    return number / rooms;
  }

  boolean isSpeaker(int number) {
    return indexOf(number) < speakers;
  }

  int userOf(int number) {
    return FIRST_USER + number;
  }

  /**
   * Returns the server of a member: rooms take turns, or with fewer rooms than servers, the members
   * of each room.
   */
  URI serverOf(int number) {
    int turn = rooms >= servers.size() ? roomOf(number) : indexOf(number);
    return URI.create(
        speakersAt != null && isSpeaker(number) ? speakersAt : servers.get(turn % servers.size()));
  }

  /** Returns when a member starts to connect, in nanoseconds after the first one. */
  long connectNanos(int number) {
    return connectRate == 0 ? 0 : (long) (number / connectRate * 1e9);
  }
}
