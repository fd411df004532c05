package dev.chatflow.lab.listen;

import java.net.URI;
import java.util.List;

/**
 * Who listens where. Listener i is in room i mod {@code rooms}; each room has a speaker besides.
 *
 * @param perSecond connections begun in a second; 0: as fast as can be
 * @param firstRoom the number of the first room, so that several programs have rooms of their own
 * @param rooms number of rooms
 * @param members of each room, without the speaker
 * @param speakers the server of all speakers, without the room
 * @param servers of the listeners: rooms by turns, or the members of few rooms by turns
 */
record Layout(
    double perSecond,
    int firstRoom,
    int rooms,
    int members,
    String speakers,
    List<String> servers) {

  /** A user is known by room and id; ids of one room are 1, 2, … and this one. */
  static final int SPEAKER = 100_000;

  Layout {
    if (rooms < 1 || members < 1 || members >= SPEAKER || perSecond < 0 || servers.isEmpty()) {
      throw new IllegalArgumentException(
          "at least a room, a member and a server, at most %d members, no rate below 0"
              .formatted(SPEAKER - 1));
    }
    servers = List.copyOf(servers);
  }

  /** Reads {@code perSecond firstRoom rooms members speakers server...}. */
  static Layout parse(List<String> words) {
    return new Layout(
        Double.parseDouble(words.get(0)),
        Integer.parseInt(words.get(1)),
        Integer.parseInt(words.get(2)),
        Integer.parseInt(words.get(3)),
        words.get(4),
        words.subList(5, words.size()));
  }

  int all() {
    return rooms * members;
  }

  URI uri(int listener) {
    int room = listener % rooms;
    int turn = rooms >= servers.size() ? room : listener / rooms;
    return URI.create(servers.get(turn % servers.size()) + "/" + (firstRoom + room));
  }

  URI speakersUri(int room) {
    return URI.create(speakers + "/" + (firstRoom + room));
  }

  /** When the connection of a listener is begun, in nanoseconds after the first one's. */
  long beginNanos(int listener) {
    return perSecond == 0 ? 0 : (long) (listener / perSecond * 1e9);
  }
}
