package dev.chatflow.lab.driver;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Who connects where and says how much.
 *
 * @param host of all servers here: a loopback address
 * @param rooms number of rooms; member i is in room i mod {@code rooms}
 * @param members of each room; all say something
 * @param bytes of what is said in a message, at least {@link Saying#SHORTEST}
 */
record Plan(String host, int port, int rooms, int members, int bytes) {
  /** Four digits and more, so that the places in a message are the same for all. */
  private static final int FIRST_USER = 1000;

  private static final int MOST = 1 << 16;

  Plan {
    if (rooms < 1 || members < 1 || (long) rooms * members > MOST || bytes < Saying.SHORTEST) {
      throw new IllegalArgumentException(
          "at least a room, a member and %d bytes, at most %d members in all"
              .formatted(Saying.SHORTEST, MOST));
    }
  }

  /** Reads {@code host port rooms members bytes}. */
  static Plan parse(List<String> words) {
    int[] numbers = words.stream().skip(1).mapToInt(Integer::parseInt).toArray();
    return new Plan(words.getFirst(), numbers[0], numbers[1], numbers[2], numbers[3]);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  int all() {
    return rooms * members;
  }

  int roomOf(int number) {
    return number % rooms;
  }

  /** Of a member in its room. */
  int indexOf(int number) {
    return number / rooms;
  }

  int userOf(int number) {
    return FIRST_USER + number;
  }
}
