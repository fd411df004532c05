package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Rooms of four shards without threads and without a clock, with short methods for their events.
 *
 * <p>The text of a JOIN or LEAVE frame names user and connection, as {@code JOIN 1 a}.
 */
final class RoomScene {

  /** Segment, log of a room and lag of the small scene, in bytes. */
  static final int SEGMENT = 1024;

  static final int LOG = 128 << 10;
  static final int LAG = 32 << 10;

  /** A text that fills a segment, including the frame header. */
  static final String KIBIBYTE = "x".repeat(SEGMENT - 4);

  private final ManualFanOut rounds = new ManualFanOut();
  private final Rooms rooms;

  /** Creates rooms with bounds that no short test reaches. */
  RoomScene() {
    rooms =
        new Rooms(
            new RoomsConfig(4, 4 << 20, 64 << 20, 0, 256 << 10, Duration.ofSeconds(15)),
            rounds.fanOut());
  }

  /** Creates rooms with small logs and this total share of bytes. */
  RoomScene(long share, Duration sendDeadline) {
    this(share, 0, sendDeadline);
  }

  /** Creates rooms with small logs and a past of this many bytes. */
  RoomScene(long share, long pastBytes, Duration sendDeadline) {
    rooms =
        new Rooms(
            new RoomsConfig(4, LOG, share, pastBytes, LAG, sendDeadline),
            rounds.fanOut(),
            new SegmentPool(share, SEGMENT));
  }

  ManualFanOut rounds() {
    return rounds;
  }

  Rooms rooms() {
    return rooms;
  }

  Room room(String id) {
    return rooms.room(new RoomId(id));
  }

  /** Runs every round, until none is scheduled. */
  void runAll() {
    rounds.runAll();
  }

  /** Lets time pass for rounds. */
  void pass(Duration time) {
    rounds.advance(time);
  }

  void tick() {
    rooms.tick();
  }

  void tickAfter(Duration time) {
    pass(time);
    tick();
  }

  void join(String room, int user, String connectionId, @Nullable Member own) {
    Payload frame = frame("JOIN " + user + " " + connectionId);
    show(room, new RoomEvent.Joined(user(user), connectionId, false, frame, joining(own)));
  }

  private static RoomEvent.@Nullable Newcomer joining(@Nullable Member own) {
    return switch (own) {
      case null -> null;
      case FakeMember fake -> fake.joining();
      default -> new RoomEvent.Newcomer(own, Past.NONE);
    };
  }

  /** Lets a user join with a connection of its own. */
  FakeMember join(String room, int user) {
    FakeMember member = new FakeMember("s" + user);
    join(room, user, member.connectionId(), member);
    return member;
  }

  void leave(String room, int user, String connectionId) {
    Payload frame = frame("LEAVE " + user + " " + connectionId);
    show(room, new RoomEvent.Left(user(user), connectionId, false, frame));
  }

  /** Joins a quiet room. */
  void joinQuietly(String room, int user, String connectionId, FakeMember own) {
    Payload frame = frame("JOIN " + user + " " + connectionId);
    show(room, new RoomEvent.Joined(user(user), connectionId, true, frame, own.joining()));
  }

  void leaveQuietly(String room, int user, String connectionId) {
    Payload frame = frame("LEAVE " + user + " " + connectionId);
    show(room, new RoomEvent.Left(user(user), connectionId, true, frame));
  }

  private static UserDevice user(int number) {
    return new UserDevice(Integer.toString(number), "");
  }

  void say(String room, int user, String text) {
    show(room, new RoomEvent.Said(frame(text)));
  }

  void signal(String room, String text) {
    show(room, new RoomEvent.Signalled(frame(text)));
  }

  /** Appends this many texts that fill a segment each, without running rounds. */
  void sayKibibytes(String room, int count) {
    for (int i = 0; i < count; i++) {
      show(room, new RoomEvent.Said(frame(KIBIBYTE)));
    }
  }

  /**
   * Appends slightly more than a log holds, running rounds in between; returns the number of texts.
   */
  int fillLog(String room) {
    int count = 140;
    for (int i = 0; i < count; i++) {
      sayKibibytes(room, 1);
      runAll();
    }
    return count;
  }

  void show(String room, RoomEvent event) {
    rooms.show(new RoomId(room), event);
  }

  static Payload frame(String text) {
    return new Payload(text.getBytes(UTF_8));
  }
}
