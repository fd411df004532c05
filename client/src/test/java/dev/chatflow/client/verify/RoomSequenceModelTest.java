package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random members of a room whose true order is known, on servers that keep it or do not. */
final class RoomSequenceModelTest {
  private static final int MEMBERS = 5;
  private static final int STEPS = 3_000;

  /** What becomes of the order on the way to a member. */
  private enum Way {
    /** Nothing. */
    IN_ORDER,
    /** Member 0 may lose texts. */
    LOSING,
    /** Member 0 may get neighbours the other way round. */
    SWAPPING,
    /** Members of odd number are on a server that shows every pair of messages reversed. */
    TWO_ORDERS
  }

  private record Message(boolean join, int sender, int number) {}

  /**
   * A member reads the room's log from its JOIN on, at its own pace; who is away does not, and goes
   * on where it was, or begins anew at another JOIN, with or without some of what stands before.
   */
  private static final class Reader {
    int roomIndex = -1;
    int join = -1;
    boolean away;
    boolean resumed;
  }

  private final RoomSequence sequence = new RoomSequence(MEMBERS, false);
  private final List<Message> log = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private Random random = new Random(0);
  private Way way = Way.IN_ORDER;
  private int disagreements;
  private int missed;
  private boolean resuming;
  private boolean quiet; // JOINs are shown to their own member alone

  static LongStream seeds() {
    return new Random(25).longs(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void oneLogReadByAllNeverDisagrees(long seed) {
    run(new Random(seed), Way.IN_ORDER);
    assertThat(disagreements).isZero();
    assertThat(sequence.parts()).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoResumesOrRecallsInOneLogNeverDisagreesAndMissesNothing(long seed) {
    resuming = true;
    run(new Random(seed), Way.IN_ORDER);
    for (int member = 0; member < MEMBERS; member++) {
      missed += sequence.takeMissed(member).size();
    }
    assertThat(disagreements).isZero();
    assertThat(missed).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void quietRoomNeverDisagreesAndMissesNothing(long seed) {
    quiet = true;
    whoResumesOrRecallsInOneLogNeverDisagreesAndMissesNothing(seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void neighboursThatAreSwappedInAQuietRoomAreFound(long seed) {
    quiet = true;
    neighboursSwappedForOneMemberWhoResumesAreFound(seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void neighboursSwappedForOneMemberWhoResumesAreFound(long seed) {
    resuming = true;
    run(new Random(seed), Way.SWAPPING);
    assertThat(disagreements).isPositive();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void lostCopiesAreNoDisagreement(long seed) {
    run(new Random(seed), Way.LOSING);
    assertThat(disagreements).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void neighboursThatAreSwappedForOneMemberAreFound(long seed) {
    run(new Random(seed), Way.SWAPPING);
    assertThat(disagreements).isPositive();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoServersWithOrdersOfTheirOwnAreFound(long seed) {
    run(new Random(seed), Way.TWO_ORDERS);
    assertThat(disagreements).isPositive();
  }

  private void run(Random seeded, Way kind) {
    random = seeded;
    way = kind;
    for (int i = 0; i < MEMBERS; i++) {
      readers.add(new Reader());
    }
    for (int step = 0; step < STEPS; step++) {
      int member = random.nextInt(MEMBERS);
      switch (random.nextInt(12)) {
        case 0 -> changeMembership(member);
        case 1, 2, 3 -> log.add(new Message(false, member, log.size()));
        default -> read(member);
      }
    }
    for (int member = 0; member < MEMBERS; member++) {
      while (read(member)) {
        // to the end
      }
    }
  }

  private void leaveOrLose(int member) {
    Reader reader = readers.get(member);
    boolean resumes = resuming && random.nextBoolean() && reader.roomIndex > reader.join;
    if (resumes) {
      reader.away = true;
      sequence.disconnected(member);
    } else {
      reader.join = -1;
      sequence.departed(member);
    }
  }

  /** Who was away reads on where it was; its new JOIN is said at the end of the log. */
  private void comeBack(int member) {
    Reader reader = readers.get(member);
    reader.away = false;
    if (random.nextInt(4) == 0) {
      reader.join = -1;
      sequence.departed(member);
      return;
    }
    reader.resumed = true;
    reader.join = log.size();
    sequence.joining(member, log.size());
    log.add(new Message(true, member, log.size()));
  }

  private void recall(int member) {
    int join = readers.get(member).join;
    for (int at = Math.max(0, join - random.nextInt(30)); at < join; at++) {
      Message message = log.get(at);
      if (!message.join()) {
        judge(sequence.pastMessage(member, message.sender(), message.number()));
      } else if (!quiet) {
        judge(sequence.pastJoin(member, message.sender(), message.number()));
      }
    }
  }

  private void changeMembership(int member) {
    Reader reader = readers.get(member);
    if (reader.away) {
      comeBack(member);
    } else if (reader.join < 0) {
      reader.join = log.size();
      sequence.joining(member, log.size());
      log.add(new Message(true, member, log.size()));
      reader.roomIndex = shownAt(member, reader.join);
      if (resuming) {
        recall(member);
      }
    } else {
      leaveOrLose(member);
    }
  }

  /** Where a message of the log stands in what this member is shown, and the other way round. */
  private int shownAt(int member, int roomIndex) {
    return way == Way.TWO_ORDERS && member % 2 == 1 ? roomIndex ^ 1 : roomIndex;
  }

  /** Shows a member what comes next; false when there is nothing. */
  private boolean read(int member) {
    Reader reader = readers.get(member);
    int roomIndex = reader.roomIndex;
    if (reader.away
        || reader.join < 0
        || (way == Way.TWO_ORDERS ? roomIndex | 1 : roomIndex) >= log.size()) {
      return false;
    }
    boolean crosses =
        way == Way.SWAPPING
            && member == 0
            && roomIndex > reader.join
            && roomIndex + 1 < log.size()
            && random.nextBoolean();
    reader.roomIndex += crosses ? 2 : 1;
    if (crosses) {
      see(member, roomIndex + 1);
    }
    see(member, shownAt(member, roomIndex));
    return true;
  }

  private void see(int member, int roomIndex) {
    Message message = log.get(roomIndex);
    if (message.join() && roomIndex == readers.get(member).join) {
      ownJoin(member, message);
    } else if (way == Way.LOSING && member == 0 && !message.join() && random.nextInt(8) == 0) {
      return;
    } else if (message.join() && quiet) {
      return;
    } else if (message.join()) {
      judge(sequence.sawJoin(member, message.sender(), message.number()));
    } else {
      judge(sequence.saw(member, message.sender(), message.number()));
    }
  }

  private void ownJoin(int member, Message message) {
    Reader reader = readers.get(member);
    if (quiet) {
      sequence.joinedQuietly(member, reader.resumed);
    } else {
      judge(
          reader.resumed
              ? sequence.cameBack(member, message.number())
              : sequence.joined(member, message.number()));
    }
    reader.resumed = false;
    missed += sequence.takeMissed(member).size();
  }

  private void judge(boolean agrees) {
    disagreements += agrees ? 0 : 1;
  }
}
