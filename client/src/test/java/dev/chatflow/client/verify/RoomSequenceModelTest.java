package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests random members of a room with a known order, on servers that keep this order or not. */
final class RoomSequenceModelTest {
  private static final int MEMBERS = 5;
  private static final int STEPS = 3_000;

  /** How the deliveries to members differ from the log. */
  private enum Delivery {
    IN_ORDER,
    /** Member 0 may lose texts. */
    LOSING,
    /** Member 0 may get adjacent messages swapped. */
    SWAPPING,
    /** Members with odd numbers are on a server that reverses every pair of messages. */
    TWO_ORDERS
  }

  private record Message(boolean join, int sender, int number) {}

  /**
   * A member that reads the room's log from its JOIN, at its own pace. After a disconnect it
   * continues from its last position, or starts at a new JOIN with or without earlier messages.
   */
  private static final class Reader {
    int roomIndex = -1;
    int join = -1;
    boolean disconnected;
    boolean resumed;
  }

  private final RoomSequence sequence = new RoomSequence(MEMBERS, false);
  private final List<Message> log = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private Random random = new Random(0);
  private Delivery delivery = Delivery.IN_ORDER;
  private int disagreements;
  private int missed;
  private boolean resuming;
  private boolean quiet; // JOINs are sent only to their own member

  static LongStream seeds() {
    return new Random(25).longs(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void membersOfOneLogNeverDisagree(long seed) {
    run(new Random(seed), Delivery.IN_ORDER);
    assertThat(disagreements).isZero();
    assertThat(sequence.parts()).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void resumingMembersOfOneLogNeverDisagreeOrMissAnything(long seed) {
    resuming = true;
    run(new Random(seed), Delivery.IN_ORDER);
    for (int member = 0; member < MEMBERS; member++) {
      missed += sequence.takeMissed(member).size();
    }
    assertThat(disagreements).isZero();
    assertThat(missed).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void membersOfAQuietRoomNeverDisagreeOrMissAnything(long seed) {
    quiet = true;
    resumingMembersOfOneLogNeverDisagreeOrMissAnything(seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void swapsInAQuietRoomAreFound(long seed) {
    quiet = true;
    swapsForAResumingMemberAreFound(seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void swapsForAResumingMemberAreFound(long seed) {
    resuming = true;
    run(new Random(seed), Delivery.SWAPPING);
    assertThat(disagreements).isPositive();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void lostCopiesAreNotADisagreement(long seed) {
    run(new Random(seed), Delivery.LOSING);
    assertThat(disagreements).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void swapsForOneMemberAreFound(long seed) {
    run(new Random(seed), Delivery.SWAPPING);
    assertThat(disagreements).isPositive();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void differentOrdersOfTwoServersAreFound(long seed) {
    run(new Random(seed), Delivery.TWO_ORDERS);
    assertThat(disagreements).isPositive();
  }

  private void run(Random seeded, Delivery kind) {
    random = seeded;
    delivery = kind;
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
        // reads to the end
      }
    }
  }

  private void leaveOrLose(int member) {
    Reader reader = readers.get(member);
    boolean resumes = resuming && random.nextBoolean() && reader.roomIndex > reader.join;
    if (resumes) {
      reader.disconnected = true;
      sequence.disconnected(member);
    } else {
      reader.join = -1;
      sequence.departed(member);
    }
  }

  /** Reconnects a member, which resumes in most cases. Its new JOIN is at the end of the log. */
  private void reconnect(int member) {
    Reader reader = readers.get(member);
    reader.disconnected = false;
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
    if (reader.disconnected) {
      reconnect(member);
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

  /** Converts an index of the log into an index of this member's deliveries, or back. */
  private int shownAt(int member, int roomIndex) {
    return delivery == Delivery.TWO_ORDERS && member % 2 == 1 ? roomIndex ^ 1 : roomIndex;
  }

  /** Delivers the next message to a member. Returns false if there is none. */
  private boolean read(int member) {
    Reader reader = readers.get(member);
    int roomIndex = reader.roomIndex;
    if (reader.disconnected
        || reader.join < 0
        || (delivery == Delivery.TWO_ORDERS ? roomIndex | 1 : roomIndex) >= log.size()) {
      return false;
    }
    boolean swaps =
        delivery == Delivery.SWAPPING
            && member == 0
            && roomIndex > reader.join
            && roomIndex + 1 < log.size()
            && random.nextBoolean();
    reader.roomIndex += swaps ? 2 : 1;
    if (swaps) {
      see(member, roomIndex + 1);
    }
    see(member, shownAt(member, roomIndex));
    return true;
  }

  private void see(int member, int roomIndex) {
    Message message = log.get(roomIndex);
    if (message.join() && roomIndex == readers.get(member).join) {
      ownJoin(member, message);
    } else if (delivery == Delivery.LOSING
        && member == 0
        && !message.join()
        && random.nextInt(8) == 0) {
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
