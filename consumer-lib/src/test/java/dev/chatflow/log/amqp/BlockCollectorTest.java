package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Entry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockCollectorTest {

  private static final Lane OWN = new Lane("own", 1, 0);
  private static final Lane OTHER = new Lane("other", 1, 0);
  private static final int BODY = 10;

  private final BlockCollector collector = new BlockCollector(OWN::equals);
  private final List<Long> published = new ArrayList<>();

  private static Arrival entry(long offset, Lane lane, int bytes) {
    Entry entry = new Entry(lane, offset + 1, 0, true);
    return new Arrival(0, offset, entry, 0, Arrival.Content.LINE, new byte[bytes], 0);
  }

  private void read(long from, long until, Lane lane, boolean live) {
    for (long offset = from; offset < until; offset++) {
      byte[] block = collector.add(entry(offset, lane, BODY), live);
      if (block != null) {
        long number = Block.number(offset - 1);
        assertThat(Block.read(Block.compress(block), number, 0)).isNotNull();
        published.add(number);
      }
    }
  }

  @Test
  void serverOfTheLastEntryPublishesTheBlockWithTheNextEntry() {
    read(0, 255, OTHER, true);
    read(255, 256, OWN, true);
    assertThat(published).isEmpty();
    read(256, 257, OTHER, true);
    assertThat(published).containsExactly(0L);
    read(257, 513, OTHER, true);
    assertThat(published).containsExactly(0L);
  }

  @Test
  void blockOfThePastWasPublishedBefore() {
    read(0, 500, OWN, false);
    assertThat(published).isEmpty();
    read(500, 513, OWN, true);
    assertThat(published).containsExactly(1L);
  }

  @Test
  void firstBlockNeedsItsFirstEntry() {
    read(2, 513, OWN, true);
    assertThat(published).containsExactly(1L);
  }

  @Test
  void entriesOfTheBrokerMayBeMissing() {
    read(1, 150, OWN, true);
    read(151, 255, OWN, true);
    read(256, 257, OWN, true);
    assertThat(published).isEmpty(); // it does not begin with an entry that is known to be first
    read(257, 350, OWN, true);
    read(351, 511, OWN, true);
    read(512, 513, OWN, true);
    assertThat(published).containsExactly(1L);
  }

  @Test
  void blockWithAHoleIsNotPublished() {
    read(0, 150, OWN, true);
    read(153, 513, OWN, true);
    assertThat(published).containsExactly(1L);
  }

  @Test
  void readingAfterALostChannelGoesOn() {
    read(0, 264, OWN, true);
    read(248, 513, OWN, true);
    assertThat(published).containsExactly(0L, 1L);
  }

  @Test
  void logThatWasRecreatedStartsAnew() {
    read(0, 300, OWN, true);
    read(0, 256, OTHER, true);
    read(256, 512, OTHER, true);
    read(512, 769, OWN, true);
    assertThat(published).containsExactly(0L, 2L);
  }

  @Test
  void largeEntriesGetNoBlock() {
    read(0, 100, OWN, true);
    assertThat(collector.add(entry(100, OWN, Block.MAX_BYTES), true)).isNull();
    read(101, 513, OWN, true);
    assertThat(published).containsExactly(1L);
  }
}
