package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.Objects;

/**
 * The size of a run: rooms, users per room, TEXT messages, their length and the time limit.
 *
 * <p>Users are numbered over all rooms, room by room; room ids in the protocol start at 1.
 *
 * @param texts TEXT messages of the run without warm-up, spread evenly over the users
 * @param messageBytes length of the text field; 0 for sentences of natural length
 * @param duration time limit of sending; zero without a limit
 */
public record Workload(
    int rooms,
    int roomSize,
    long texts,
    int messageBytes,
    Warmup warmup,
    Duration duration,
    Roles roles,
    Extras extras) {
  public static final int MIN_MESSAGE_BYTES = 40;
  public static final int MAX_MESSAGE_BYTES = 500;

  /** A number of texts that no user can write in a time-limited run. */
  public static final long UNTIL_TIME_PER_USER = 10_000_000;

  private static final long MAX_TEXTS_PER_USER = 100_000_000;

  public Workload {
    extras = Objects.requireNonNullElse(extras, Extras.NONE); // older stored runs have none
    CommandFailure.requireRange("--rooms", rooms, 1, 100_000);
    CommandFailure.requireRange("--room-size", roomSize, 1, 100_000);
    CommandFailure.requireRange(
        "rooms x room-size", (long) rooms * roomSize, 1, 36 * 36 * 36 * 36 - 1);
    CommandFailure.requireRange("--total", texts, 0, MAX_TEXTS_PER_USER * rooms * roomSize);
    if (roomSize % extras.devices() != 0) {
      throw CommandFailure.usage(
          "--room-size must be a multiple of --devices, found %d members and %d devices"
              .formatted(roomSize, extras.devices()));
    }
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

  /** Creates a workload of equal users. */
  public Workload(
      int rooms, int roomSize, long texts, int messageBytes, Duration warmup, Duration duration) {
    this(rooms, roomSize, texts, messageBytes, Warmup.of(warmup), duration, Roles.EQUAL);
  }

  /** Creates a workload of texts only. */
  public Workload(
      int rooms,
      int roomSize,
      long texts,
      int messageBytes,
      Warmup warmup,
      Duration duration,
      Roles roles) {
    this(rooms, roomSize, texts, messageBytes, warmup, duration, roles, Extras.NONE);
  }

  public int users() {
    return rooms * roomSize;
  }

  /** Returns the number of members of each room with a WebSocket. */
  public int listeners() {
    return Math.min(roomSize, roles.listeners());
  }

  /**
   * Returns the number of TEXTs of one user after the warm-up; the first users get the remainder.
   */
  public int textsOf(int user) {
    if (!roles.waves().isEmpty()) {
      int wave = waveOf(user);
      return wave < 0 ? 0 : roles.waves().get(wave).textsEach();
    }
    if (roles.isUneven()) {
      long inRoom = textsOfFirst(user / roomSize + 1) - textsOfFirst(user / roomSize);
      int index = user % roomSize;
      return roles.userZipf() == 0
          ? part(inRoom, index, roomSize)
          : Math.toIntExact(ofFirstUsers(inRoom, index + 1) - ofFirstUsers(inRoom, index));
    }
    return part(texts, user, users());
  }

  /** Returns the number of TEXTs of one user in the warm-up. */
  public int warmupTextsOf(int user) {
    return turnOf(user) < warmup.users() ? warmup.messages() : 0;
  }

  /** Returns the wave of a user; -1 for none. */
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

  /** Returns one user's share of all texts. */
  public double shareOf(int user) {
    int room = user / roomSize;
    int index = user % roomSize;
    double ofRoom = roles.ofFirstRooms(room + 1, rooms) - roles.ofFirstRooms(room, rooms);
    double ofUser = roles.ofFirstUsers(index + 1, roomSize) - roles.ofFirstUsers(index, roomSize);
    return ofRoom * ofUser;
  }

  /** Returns whether the time limit, not a number of texts, ends the run. */
  public boolean isOpenEnded() {
    return !duration.isZero() && texts > 0;
  }

  /** Returns a user's turn when rooms take turns, each with its next user. */
  public int turnOf(int user) {
    return user % roomSize * rooms + user / roomSize;
  }

  private long textsOfFirst(int count) {
    return Math.round(texts * roles.ofFirstRooms(count, rooms));
  }

  private long ofFirstUsers(long inRoom, int count) {
    return Math.round(inRoom * roles.ofFirstUsers(count, roomSize));
  }

  private static int part(long all, int index, int count) {
    long share = all / count;
    return Math.toIntExact(index < all % count ? share + 1 : share);
  }
}
