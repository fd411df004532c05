package dev.chatflow.lab.listen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is said in one room: its messages 0, 1, 2, …, each until all have it. One thread. */
final class Talk {
  private final int hearers;

  /** As first heard: whoever comes back names the last one that he has. */
  private final List<byte[]> frames = new ArrayList<>();

  /** How many lack each of {@link #frames}. */
  private final List<int[]> lacking = new ArrayList<>();

  private int said;

  /**
   * @param hearers of each message, the speaker among them
   */
  Talk(int hearers) {
    this.hearers = hearers;
  }

  /** The number of the next message. */
  int say() {
    return said++;
  }

  int said() {
    return said;
  }

  /** Somebody hears a message for the first time; true when nobody lacks it any more. */
  boolean hear(int number, byte[] bytes, int from, int to) {
    while (frames.size() <= number) {
      frames.add(Arrays.copyOfRange(bytes, from, to));
      lacking.add(new int[] {hearers});
    }
    return --lacking.get(number)[0] == 0;
  }

  byte[] frame(int number) {
    return frames.get(number);
  }
}
