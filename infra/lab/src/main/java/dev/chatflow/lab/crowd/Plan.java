package dev.chatflow.lab.crowd;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a crowd: where they connect and how much they say. Member i is in room i mod
 * {@code rooms}.
 *
 * @param wire the protocol of all servers
 * @param servers their addresses; a path in them is ignored
 * @param speakersAt the server of all speakers; null: speakers connect as all others do
 * @param connectRate connections started each second; 0: as fast as possible
 * @param firstRoom the number of the first room, so that several crowds have rooms of their own
 * @param rooms number of rooms
 * @param members of each room, speakers included
 * @param speakers of each room: its first members
 * @param bytes length of what a message says
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

  /** Four digits and more, so that fields have the same place in the messages of all users. */
  private static final int FIRST_USER = 1000;

  /** A sender is four hexadecimal digits of a message. */
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
          "A crowd needs a server, a room, a member, at most as many speakers as members, at most %d members in all and %d bytes or more."
              .formatted(MOST, Saying.SHORTEST));
    }
    servers = List.copyOf(servers);
  }

  int all() {
    return rooms * members;
  }

  int roomOf(int number) {
    return number % rooms;
  }

  /** The position of a member in its room. */
  int indexOf(int number) {
    return number / rooms;
  }

  boolean isSpeaker(int number) {
    return indexOf(number) < speakers;
  }

  int userOf(int number) {
    return FIRST_USER + number;
  }

  /** Rooms take turns; where there are fewer rooms than servers, the members of each room do. */
  URI serverOf(int number) {
    int turn = rooms >= servers.size() ? roomOf(number) : indexOf(number);
    return URI.create(
        speakersAt != null && isSpeaker(number) ? speakersAt : servers.get(turn % servers.size()));
  }

  /** When a member starts to connect, in nanoseconds after the first one. */
  long connectNanos(int number) {
    return connectRate == 0 ? 0 : (long) (number / connectRate * 1e9);
  }
}
