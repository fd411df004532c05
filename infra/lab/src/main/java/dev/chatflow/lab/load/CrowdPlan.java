package dev.chatflow.lab.load;

import java.util.List;

/**
 * Who connects where and keeps how many messages under way.
 *
 * @param url without the room
 * @param connections in all; connection i is in room i mod {@code rooms}
 * @param rooms number of rooms
 * @param senders of each room; the others only read
 * @param window own messages a sender keeps under way
 * @param messageBytes payload of a message
 */
record CrowdPlan(
    String url, int connections, int rooms, int senders, int window, int messageBytes) {

  /** Reads {@code url connections rooms senders window messageBytes}. */
  static CrowdPlan parse(List<String> words) {
    int[] numbers = words.stream().skip(1).mapToInt(Integer::parseInt).toArray();
    return new CrowdPlan(
        words.getFirst(), numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }

  int roomOf(int number) {
    return number % rooms;
  }

  /** 0 for a connection that only reads. */
  int windowOf(int number) {
    return number / rooms < senders ? window : 0;
  }

  int membersOf(int room) {
    return connections / rooms + (room < connections % rooms ? 1 : 0);
  }

  /** Frames that all see together while one after the other joins: 1 + 2 + ... a room. */
  long joinDeliveries() {
    long deliveries = 0;
    for (int room = 0; room < rooms; room++) {
      long members = membersOf(room);
      deliveries += members * (members + 1) / 2;
    }
    return deliveries;
  }
}
