package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoomLogPastTest {

  private static final int LARGE = 4096;
  private static final int SMALL = LARGE / 16;
  private static final int PAST = 2048;
  private static final String TIME = "2026-11-20T18:46:00.125Z";

  private final SegmentPool pool = new SegmentPool(16 * LARGE, LARGE);
  private final RoomLog log = new RoomLog(pool, 4 * LARGE, PAST);

  private static FrameName name(int number) {
    return new FrameName("TEXT", "1", "id-" + number, TIME, 0);
  }

  private static String text(int number) {
    return ("{'messageType':'TEXT','roomId':'5','userId':'1','username':'user1','message':'%s',"
            + "'timestamp':'-','messageId':'id-%d','serverTimestamp':'%s','serverId':'s'}")
        .formatted("x".repeat(number % 50), number, TIME)
        .replace('\'', '"');
  }

  private static RoomLog.Full append(RoomLog log, int number) {
    byte[] bytes = text(number).getBytes(UTF_8);
    return log.append(new Payload(bytes, 0, bytes.length, name(number).hash()));
  }

  private void append(int... numbers) {
    for (int number : numbers) {
      assertThat(append(log, number)).isEqualTo(RoomLog.Full.NO);
    }
  }

  private void releaseAll() {
    log.release(log.tail().position());
  }

  private Boundary found(int number) {
    return Objects.requireNonNull(log.find(name(number)));
  }

  private List<String> from(Boundary begin) {
    return log.texts(begin, log.tail());
  }

  @Test
  void framesReadByAllMembersAreKept() {
    append(1, 2, 3);
    releaseAll();

    assertThat(from(found(2))).containsExactly(text(2), text(3));
    assertThat(from(log.last(2, log.tail()))).containsExactly(text(2), text(3));
    assertThat(log.isEmpty()).isFalse();
  }

  @Test
  void quietLogCostsASmallSegment() {
    append(1);
    releaseAll();

    assertThat(pool.usedBytes()).isEqualTo(SMALL);
  }

  @Test
  void pastIsBounded() {
    for (int i = 0; i < 1_000; i++) {
      append(i);
      releaseAll();
      assertThat(log.pastHeld()).isLessThanOrEqualTo(PAST);
      assertThat(log.heldBytes()).isLessThanOrEqualTo(PAST + 2 * LARGE);
    }
    assertThat(log.find(name(900))).isNull();
    assertThat(log.find(name(999))).isNotNull();
  }

  @Test
  void unknownFrameIsNotFound() {
    append(1, 2);

    assertThat(log.find(name(3))).isNull();
  }

  @Test
  void frameThatAppearsTwiceIsNotFound() {
    append(1, 2, 1);

    assertThat(log.find(name(1))).isNull();
    assertThat(log.find(name(2))).isNotNull();
  }

  @Test
  void otherFrameWithTheSameHashIsNotFound() {
    byte[] bytes = text(1).getBytes(UTF_8);
    log.append(new Payload(bytes, 0, bytes.length, name(2).hash()));

    assertThat(log.find(name(2))).isNull();
  }

  @Test
  void lastAreNoMoreThanThereAre() {
    assertThat(log.last(5, log.tail())).isEqualTo(log.tail());
    append(1, 2);

    assertThat(from(log.last(5, log.tail()))).containsExactly(text(1), text(2));
    assertThat(from(log.last(0, log.tail()))).isEmpty();
  }

  @Test
  void lastEndBeforeTheirLimit() {
    append(1, 2, 3, 4);

    Boundary limit = found(3);

    assertThat(log.texts(log.last(1, limit), limit)).containsExactly(text(2));
  }

  @Test
  void forgottenPastIsNotShownAgain() {
    append(1, 2);
    log.forgetPast();
    append(3);

    assertThat(log.find(name(2))).isNull();
    assertThat(from(log.last(5, log.tail()))).containsExactly(text(3));
  }

  @Test
  void shortenedPastHasTheNewest() {
    append(1, 2, 3, 4);

    log.shorten(400, log.tail().position());
    assertThat(from(log.last(9, log.tail()))).containsExactly(text(3), text(4));

    log.shorten(0, log.tail().position());
    assertThat(from(log.last(9, log.tail()))).isEmpty();
    assertThat(log.isEmpty()).isTrue();
  }

  @Test
  void segmentsOfBothSizesShareOneBound() {
    SegmentPool small = new SegmentPool(2 * LARGE, LARGE);
    List<RoomLog> logs = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      logs.add(new RoomLog(small, 2 * LARGE, PAST));
      assertThat(append(logs.get(i), i)).isEqualTo(RoomLog.Full.NO);
    }
    assertThat(small.available()).isZero();

    logs.forEach(each -> each.shorten(0, each.tail().position()));
    Segment large = small.take(LARGE, 0);
    small.give(large);

    assertThat(small.available()).isEqualTo(2 * LARGE);
  }

  static LongStream seeds() {
    return new Random(23).longs(30);
  }

  /** Compared with a list of all numbers ever appended. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsTheSameAsAList(long seed) {
    Random random = new Random(seed);
    List<Integer> all = new ArrayList<>();
    int forgotten = 0;
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(12)) {
        case 0 -> releaseAll();
        case 1 -> log.shorten(random.nextInt(PAST), log.tail().position());
        case 2 -> {
          if (random.nextInt(10) == 0) {
            log.forgetPast();
            forgotten = all.size();
          }
        }
        default -> {
          append(all.size());
          all.add(all.size());
        }
      }
      if (random.nextInt(5) == 0) {
        releaseAll();
      }
      verify(random, all, forgotten);
    }
  }

  private void verify(Random random, List<Integer> all, int forgotten) {
    int asked = random.nextInt(20);
    List<String> last = from(log.last(asked, log.tail()));
    assertThat(last).hasSizeLessThanOrEqualTo(asked);
    assertThat(last)
        .isEqualTo(
            all.subList(all.size() - last.size(), all.size()).stream()
                .map(RoomLogPastTest::text)
                .toList());
    if (!all.isEmpty()) {
      int number = random.nextInt(all.size());
      Boundary found = log.find(name(number));
      if (found != null) {
        assertThat(number).isGreaterThanOrEqualTo(forgotten);
        assertThat(found.frames()).isEqualTo(number);
        assertThat(from(found)).hasSize(all.size() - number);
      }
    }
  }
}
