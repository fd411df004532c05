package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;

/**
 * Who sends how much: rooms, users per room, TEXT messages, their size and the time limit.
 *
 * <p>Users are numbered over all rooms, room by room; room ids on the wire start at 1.
 *
 * @param texts TEXT messages of the run without warm-up, spread evenly over the users
 * @param messageBytes length of the text field; 0 takes sentences of natural length
 * @param duration sending stops after this time; zero means when all texts are written
 */
public record Workload(
    int rooms,
    int roomSize,
    long texts,
    int messageBytes,
    Warmup warmup,
    Duration duration,
    Roles roles) {
  public static final int MIN_MESSAGE_BYTES = 40;
  public static final int MAX_MESSAGE_BYTES = 500;

  /** More texts than a user can write in any time-limited run. */
  public static final long UNTIL_TIME_PER_USER = 10_000_000;

  private static final long MAX_TEXTS_PER_USER = 100_000_000;

  public Workload {
    CommandFailure.requireRange("--rooms", rooms, 1, 100_000);
    CommandFailure.requireRange("--room-size", roomSize, 1, 100_000);
    CommandFailure.requireRange(
        "rooms x room-size", (long) rooms * roomSize, 1, 36 * 36 * 36 * 36 - 1);
    CommandFailure.requireRange("--total", texts, 0, MAX_TEXTS_PER_USER * rooms * roomSize);
    if (messageBytes != 0) {
      CommandFailure.requireRange("--msg-size", messageBytes, MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES);
    }
    if (duration.isNegative()) {
      throw CommandFailure.usage("--duration must not be negative, found " + duration);
    }
    if (!duration.isZero() && warmup.time().compareTo(duration) >= 0) {
      throw CommandFailure.usage(
          "--warmup must be shorter than --duration, found " + warmup.time());
    }
    if (warmup.users() > rooms * roomSize) {
      throw CommandFailure.usage(
          "--warmup must have at most " + rooms * roomSize + " users, found " + warmup.users());
    }
  }

  /** A workload of equal users. */
  public Workload(
      int rooms, int roomSize, long texts, int messageBytes, Duration warmup, Duration duration) {
    this(rooms, roomSize, texts, messageBytes, Warmup.of(warmup), duration, Roles.EQUAL);
  }

  public int users() {
    return rooms * roomSize;
  }

  /** Members of each room that have a WebSocket. */
  public int listeners() {
    return Math.min(roomSize, roles.listeners());
  }

  /** TEXT messages of one user after the warm-up; the remainder goes to the first users. */
  public int textsOf(int user) {
    if (!roles.waves().isEmpty()) {
      int wave = waveOf(user);
      return wave < 0 ? 0 : roles.waves().get(wave).textsEach();
    }
    if (roles.isUneven()) {
      long inRoom = textsOfFirst(user / roomSize + 1) - textsOfFirst(user / roomSize);
      int place = user % roomSize;
      return roles.userZipf() == 0
          ? part(inRoom, place, roomSize)
          : Math.toIntExact(ofFirstUsers(inRoom, place + 1) - ofFirstUsers(inRoom, place));
    }
    return part(texts, user, users());
  }

  /** TEXT messages of one user in the warm-up. */
  public int warmupTextsOf(int user) {
    return turnOf(user) < warmup.users() ? warmup.messages() : 0;
  }

  /** Which wave a user belongs to; -1 for none. */
  public int waveOf(int user) {
    int turn = turnOf(user);
    for (int wave = 0; wave < roles.waves().size(); wave++) {
      turn -= roles.waves().get(wave).users();
      if (turn < 0) {
        return wave;
      }
    }
    return -1;
  }

  /** The share of one user in all texts. */
  public double shareOf(int user) {
    int room = user / roomSize;
    int place = user % roomSize;
    double ofRoom = roles.ofFirstRooms(room + 1, rooms) - roles.ofFirstRooms(room, rooms);
    double ofUser = roles.ofFirstUsers(place + 1, roomSize) - roles.ofFirstUsers(place, roomSize);
    return ofRoom * ofUser;
  }

  /** Whether the time limit, not the plan, decides how much is sent. */
  public boolean isOpenEnded() {
    return !duration.isZero() && texts > 0;
  }

  /** A user's place when the rooms take turns, each with its next user. */
  public int turnOf(int user) {
    return user % roomSize * rooms + user / roomSize;
  }

  private long textsOfFirst(int count) {
    return Math.round(texts * roles.ofFirstRooms(count, rooms));
  }

  private long ofFirstUsers(long inRoom, int count) {
    return Math.round(inRoom * roles.ofFirstUsers(count, roomSize));
  }

  private static int part(long all, int place, int places) {
    long share = all / places;
    return Math.toIntExact(place < all % places ? share + 1 : share);
  }
}
