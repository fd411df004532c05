package dev.chatflow.lab.crowd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The messages of one room. With a single speaker it keeps every message, so that reconnecting
 * members can name their last one, and it detects when all members have it. Belongs to one thread.
 */
final class Talk {
  private final Plan plan;
  private final List<byte[]> frames = new ArrayList<>();

  /** The number of members without each of {@link #frames}. */
  private final List<int[]> missing = new ArrayList<>();

  private long said;

  Talk(Plan plan) {
    this.plan = plan;
  }

  void say() {
    said++;
  }

  long said() {
    return said;
  }

  /** Records a member's first copy; returns whether all members have it now. */
  boolean receive(int number, byte[] bytes, int from, int to) {
    if (plan.speakers() != 1) {
      return false;
    }
    while (frames.size() <= number) {
      frames.add(Arrays.copyOfRange(bytes, from, to));
      missing.add(new int[] {plan.members()});
    }
    return --missing.get(number)[0] == 0;
  }

  byte[] frame(int number) {
    return frames.get(number);
  }
}
