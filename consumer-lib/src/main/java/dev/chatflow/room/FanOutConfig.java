package dev.chatflow.room;

import java.time.Duration;

/**
 * Bounds of the fan-out of one server.
 *
 * @param writers number of writer threads
 * @param capacityRooms number of rooms that may wait for a round before a reader thread waits
 * @param maxPace longest time between two rounds of a busy room; at least 1 ms
 */
public record FanOutConfig(int writers, int capacityRooms, Duration maxPace) {

  public FanOutConfig {
    if (writers < 1) {
      throw new IllegalArgumentException("writers must be at least 1, not " + writers);
    }
    if (capacityRooms < 1) {
      throw new IllegalArgumentException("capacityRooms must be at least 1, not " + capacityRooms);
    }
    if (maxPace.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("maxPace must be at least 1 ms, not " + maxPace);
    }
  }
}
