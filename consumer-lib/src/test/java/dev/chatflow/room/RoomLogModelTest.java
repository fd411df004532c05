package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random steps on a log with three readers, compared with a list of all bytes ever appended. */
class RoomLogModelTest {

  private static final int SEGMENT = 32;
  private static final int CAPACITY = 6;

  static LongStream seeds() {
    return new Random(17).longs(40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesLikeAListOfBytes(long seed) {
    new Model(new Random(seed)).steps(120);
  }

  private static final class Model {

    private final Random random;
    private final SegmentPool pool;
    private final RoomLog log;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Boundary> boundaries = new ArrayList<>(List.of(Boundary.START));
    private final Boundary[] readers = {Boundary.START, Boundary.START, Boundary.START};

    Model(Random random) {
      this.random = random;
      this.pool = new SegmentPool((long) (CAPACITY - random.nextInt(2)) * SEGMENT, SEGMENT);
      this.log = new RoomLog(pool, CAPACITY * SEGMENT);
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        switch (random.nextInt(4)) {
          case 0, 1 -> append();
          case 2 -> read(random.nextInt(readers.length));
          default -> release();
        }
        assertThat(log.heldBytes()).isEqualTo(pool.usedBytes());
      }
    }

    private void append() {
      byte[] text = new byte[random.nextInt(60)];
      random.nextBytes(text);
      Boundary before = log.tail();
      RoomLog.Full full = log.append(new Payload(text));
      if (full == RoomLog.Full.NO) {
        bytes.write(0x81);
        bytes.write(text.length);
        bytes.writeBytes(text);
        boundaries.add(new Boundary(bytes.size(), boundaries.size()));
        assertThat(log.tail()).isEqualTo(boundaries.getLast());
      } else {
        assertThat(log.tail()).isEqualTo(before);
        assertThat(log.heldBytes() + 2 + text.length).isGreaterThan(pool.usedBytes());
        assertThat(pool.available()).isLessThan(2 + text.length + SEGMENT);
      }
    }

    private void read(int reader) {
      Boundary from = readers[reader];
      List<Boundary> ahead = boundaries.subList((int) from.frames(), boundaries.size());
      Boundary limit = ahead.get(random.nextInt(ahead.size()));
      if (limit.equals(from)) {
        return;
      }
      LogRange range = log.range(from, limit);
      Boundary to = range.to();
      assertThat(boundaries.get((int) to.frames())).isEqualTo(to);
      assertThat(range.bytes()).isBetween(1, SEGMENT + 62);
      assertThat(range.frames()).isEqualTo((int) (to.frames() - from.frames()));
      assertThat(RoomLogTest.bytes(range))
          .isEqualTo(
              Arrays.copyOfRange(bytes.toByteArray(), (int) from.position(), (int) to.position()));
      readers[reader] = to;
    }

    private void release() {
      long least = Arrays.stream(readers).mapToLong(Boundary::position).min().orElseThrow();
      log.release(least);
      assertThat(log.heldBytes())
          .isLessThanOrEqualTo(log.tail().position() - least + 2 * SEGMENT - 1);
      assertThat(log.heldBytes() == 0).isEqualTo(least == log.tail().position());
    }
  }
}
