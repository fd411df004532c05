package dev.chatflow.client.plan;

import java.time.Duration;

/**
 * Who sends how much: rooms, users per room, TEXT messages, their size and the time limit.
 *
 * <p>Users are numbered over all rooms, room by room; room ids on the wire start at 1.
 *
 * @param texts TEXT messages of the whole run, spread evenly over the users
 * @param messageBytes length of the text field; 0 takes sentences of natural length
 * @param warmup messages written in this first part of the sending are verified and not recorded
 * @param duration sending stops after this time; zero means when all texts are written
 */
public record Workload(
    int rooms, int roomSize, long texts, int messageBytes, Duration warmup, Duration duration) {
  public static final int MIN_MESSAGE_BYTES = 40;
  public static final int MAX_MESSAGE_BYTES = 500;

  /** More texts than a user can write in any time-limited run. */
  public static final long UNTIL_TIME_PER_USER = 10_000_000;

  private static final long MAX_TEXTS_PER_USER = 100_000_000;

  public Workload {
    InvalidPlan.requireRange("--rooms", rooms, 1, 100_000);
    InvalidPlan.requireRange("--room-size", roomSize, 1, 100_000);
    InvalidPlan.requireRange(
        "rooms x room-size", (long) rooms * roomSize, 1, 36 * 36 * 36 * 36 - 1);
    InvalidPlan.requireRange("--total", texts, 0, MAX_TEXTS_PER_USER * rooms * roomSize);
    if (messageBytes != 0) {
      InvalidPlan.requireRange("--msg-size", messageBytes, MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES);
    }
    if (warmup.isNegative() || (!duration.isZero() && warmup.compareTo(duration) >= 0)) {
      throw new InvalidPlan("--warmup must be shorter than --duration, found " + warmup);
    }
    if (duration.isNegative()) {
      throw new InvalidPlan("--duration must not be negative, found " + duration);
    }
  }

  public int users() {
    return rooms * roomSize;
  }

  /** TEXT messages of one user: the remainder of an uneven total goes to the first users. */
  public int textsOf(int user) {
    long share = texts / users();
    return Math.toIntExact(user < texts % users() ? share + 1 : share);
  }

  /** Whether the time limit, not the plan, decides how much is sent. */
  public boolean isOpenEnded() {
    return !duration.isZero() && texts > 0;
  }
}
