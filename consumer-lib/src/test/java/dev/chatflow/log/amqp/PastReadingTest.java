package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class PastReadingTest {

  private static final List<Lane> LANES = List.of(new Lane("one", 1, 0), new Lane("two", 1, 0));
  private static final int ENTRIES = 3_000;
  private static final byte[] NOTHING = {};

  /** A log whose servers publish most of its blocks, some entries late. */
  private static final class FakeLog {
    private final Random random;
    private final List<Arrival> entries = new ArrayList<>();
    private final List<byte[]> due = new ArrayList<>();
    private final List<BlockCollector> servers =
        LANES.stream().map(lane -> new BlockCollector(lane::equals)).toList();
    private final long[] numbers = new long[LANES.size()];
    private int read;
    private int opened;

    FakeLog(long seed, double lost) {
      random = new Random(seed);
      long first = random.nextInt(3) * (long) random.nextInt(2_000);
      for (long offset = first; entries.size() < ENTRIES; offset++) {
        if (random.nextInt(200) > 0 || !follows(offset)) {
          add(next(offset), lost);
        }
      }
    }

    /** Returns whether the entry before is in the log. */
    private boolean follows(long offset) {
      return !entries.isEmpty() && entries.getLast().offset() == offset - 1;
    }

    private Arrival next(long offset) {
      if (!due.isEmpty() && random.nextInt(3) == 0) {
        return arrival(offset, null, Arrival.Content.BLOCK, due.removeFirst());
      }
      int lane = random.nextInt(LANES.size());
      Entry entry =
          random.nextInt(50) == 0 ? null : new Entry(LANES.get(lane), ++numbers[lane], 0, true);
      return arrival(offset, entry, Arrival.Content.LINE, new byte[1 + random.nextInt(60)]);
    }

    private static Arrival arrival(
        long offset, @Nullable Entry entry, Arrival.Content content, byte[] body) {
      return new Arrival(0, offset, entry, offset, content, body, 0);
    }

    private void add(Arrival arrival, double lost) {
      entries.add(arrival);
      for (BlockCollector server : servers) {
        byte[] block = server.add(arrival, true);
        if (block != null && random.nextDouble() >= lost) {
          due.add(Block.compress(block));
        }
      }
    }

    PastReading.Entries from(long offset, boolean few) {
      opened++;
      return new PastReading.Entries() {
        private int at = (int) entries.stream().filter(each -> each.offset() < offset).count();

        @Override
        public Arrival next() {
          read++;
          return entries.get(at++); // beyond the end a reading would wait
        }

        @Override
        public void close() {}
      };
    }
  }

  /** Compares with the log itself. Of blocks only the length is read again. */
  private static void compare(FakeLog log, long from) throws Exception {
    List<Arrival> shown = new ArrayList<>();
    long end = log.entries.getLast().offset();
    long next = new PastReading(log::from, shown::add).read(from, end);
    assertThat(next).isGreaterThan(end - Block.ENTRIES);
    List<Arrival> expected =
        log.entries.stream().filter(each -> each.offset() >= from && each.offset() < next).toList();
    assertThat(shown.stream().map(PastReadingTest::withoutBody).toList())
        .isEqualTo(expected.stream().map(PastReadingTest::withoutBody).toList());
    assertThat(shown.stream().map(each -> each.body().length).toList())
        .isEqualTo(expected.stream().map(each -> each.body().length).toList());
  }

  private static Arrival withoutBody(Arrival arrival) {
    return new Arrival(
        0,
        arrival.offset(),
        arrival.entry(),
        arrival.builtMillis(),
        arrival.presenceHeaders(),
        arrival.content(),
        NOTHING,
        0);
  }

  @RepeatedTest(22)
  void readsWhatTheLogHasWhicheverBlocksAreMissing(RepetitionInfo seed) throws Exception {
    FakeLog log = new FakeLog(seed.getCurrentRepetition(), seed.getCurrentRepetition() % 11 / 10.0);
    long first = log.entries.getFirst().offset();
    for (long from : new long[] {0, first, first + 700, first + 1_333, first + ENTRIES}) {
      compare(log, from);
    }
  }

  @Test
  void blocksAreReadInsteadOfTheirEntries() throws Exception {
    FakeLog log = new FakeLog(3, 0);
    compare(log, log.entries.getFirst().offset());
    assertThat(log.read).isLessThan(ENTRIES / 5);
  }

  @Test
  void logWithoutBlocksIsReadOnce() throws Exception {
    FakeLog log = new FakeLog(3, 1);
    compare(log, log.entries.getFirst().offset());
    assertThat(log.read).isLessThan(ENTRIES + ENTRIES / 20);
    assertThat(log.opened).isLessThan(14);
  }
}
