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

  private record Message(boolean join, int sender, int number) {}

  /** A member reads the room's log from its JOIN on, at its own pace. */
  private static final class Reader {
    int place = -1;
    int join = -1;
  }

  private final RoomSequence sequence = new RoomSequence(MEMBERS);
  private final List<Message> log = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private int disagreements;

  static LongStream seeds() {
    return new Random(25).longs(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void oneLogReadByAllNeverDisagrees(long seed) {
    run(new Random(seed), false);
    assertThat(disagreements).isZero();
    assertThat(sequence.heads()).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void neighboursThatAreSwappedForOneMemberAreFound(long seed) {
    run(new Random(seed), true);
    assertThat(disagreements).isPositive();
  }

  private void run(Random random, boolean swaps) {
    for (int i = 0; i < MEMBERS; i++) {
      readers.add(new Reader());
    }
    for (int step = 0; step < STEPS; step++) {
      int member = random.nextInt(MEMBERS);
      switch (random.nextInt(12)) {
        case 0 -> changeMembership(member);
        case 1, 2, 3 -> log.add(new Message(false, member, log.size()));
        default -> read(member, swaps && member == 0 ? random.nextInt(2) : 0);
      }
    }
    readers.forEach(reader -> readToEnd(readers.indexOf(reader)));
  }

  private void changeMembership(int member) {
    Reader reader = readers.get(member);
    if (reader.join < 0) {
      reader.join = log.size();
      sequence.joining(member, log.size());
      log.add(new Message(true, member, log.size()));
      reader.place = reader.join;
    } else {
      reader.join = -1;
      sequence.gone(member);
    }
  }

  private void read(int member, int swap) {
    Reader reader = readers.get(member);
    if (reader.join < 0 || reader.place >= log.size()) {
      return;
    }
    boolean crosses = swap == 1 && reader.place > reader.join && reader.place + 1 < log.size();
    int first = reader.place;
    reader.place += crosses ? 2 : 1;
    if (crosses) {
      see(member, first + 1);
    }
    see(member, first);
  }

  private void see(int member, int place) {
    Message message = log.get(place);
    if (!message.join()) {
      judge(sequence.saw(member, message.sender(), message.number()));
    } else if (place == readers.get(member).join) {
      sequence.joined(member, message.number());
    } else {
      judge(sequence.sawJoin(member, message.sender(), message.number()));
    }
  }

  private void judge(boolean agrees) {
    disagreements += agrees ? 0 : 1;
  }

  private void readToEnd(int member) {
    Reader reader = readers.get(member);
    while (reader.join >= 0 && reader.place < log.size()) {
      read(member, 0);
    }
  }
}
