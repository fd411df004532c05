package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockTest {

  private static final Lane LANE = new Lane("one", 1_700_000_000_000L, 2);
  private static final PresenceHeaders PRESENCE =
      new PresenceHeaders(3, new Digest(7, 2, -5), List.of(LANE, new Lane("two", 4, 2)));

  private static Arrival entry(long offset) {
    boolean isEmpty = offset % 7 == 0;
    return new Arrival(
        0,
        offset,
        offset % 3 == 0 ? null : new Entry(LANE, offset + 1, offset / 2, !isEmpty),
        offset * 10,
        offset % 5 == 0 ? PRESENCE : PresenceHeaders.NONE,
        isEmpty ? Arrival.Content.NOTHING : Arrival.Content.LINES,
        (isEmpty ? "" : "body " + offset).getBytes(StandardCharsets.UTF_8),
        9);
  }

  private static byte[] block(long number, LongStream offsets) {
    Block.Writer writer = new Block.Writer(number);
    offsets.forEach(offset -> assertThat(writer.add(entry(offset))).isTrue());
    return Block.compress(writer.content());
  }

  private static byte[] whole(long number) {
    return block(number, LongStream.range(number * Block.ENTRIES, Block.end(number)));
  }

  @Test
  void entriesAreReadAsTheyWere() {
    List<Arrival> read = Block.read(whole(3), 3, 9);
    assertThat(read).hasSize(Block.ENTRIES);
    assertThat(read)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(
            LongStream.range(3 * Block.ENTRIES, Block.end(3)).mapToObj(BlockTest::entry).toList());
  }

  /** The body of a block in a block is not needed, but its length counts in the window. */
  @Test
  void blockInABlockKeepsOnlyItsLength() {
    Block.Writer writer = new Block.Writer(0);
    byte[] body = new byte[1_000];
    Arrays.fill(body, (byte) 1);
    writer.add(new Arrival(0, 0, null, 0, Arrival.Content.BLOCK, body, 0));
    LongStream.range(1, Block.ENTRIES).forEach(offset -> writer.add(entry(offset)));
    List<Arrival> read = Block.read(Block.compress(writer.content()), 0, 0);
    assertThat(read).isNotNull();
    assertThat(read.getFirst().body()).isEqualTo(new byte[1_000]);
  }

  @Test
  void entriesOfTheBrokerAreMissing() {
    LongStream some = LongStream.range(0, Block.ENTRIES).filter(offset -> offset % 100 != 0);
    assertThat(Block.read(block(0, some), 0, 0)).hasSize(Block.ENTRIES - 3);
  }

  @Test
  void blockThatIsMalformedOrLacksEntriesIsNone() {
    byte[] good = whole(0);
    List<byte[]> bad = new ArrayList<>();
    bad.add(new byte[0]);
    bad.add(Arrays.copyOf(good, good.length - 20));
    bad.add(Arrays.copyOf(good, good.length / 2));
    bad.add(whole(1));
    bad.add(block(0, LongStream.range(3, Block.ENTRIES)));
    bad.add(block(0, LongStream.range(0, Block.ENTRIES - 3)));
    bad.add(block(0, LongStream.range(0, Block.ENTRIES).filter(o -> o < 100 || o > 103)));
    bad.add(block(0, LongStream.range(0, Block.ENTRIES + 1)));
    for (int at = 0; at < 100; at++) {
      byte[] damaged = good.clone();
      damaged[at] ^= 0x40;
      bad.add(damaged);
    }
    for (byte[] each : bad) {
      List<Arrival> read = Block.read(each, 0, 0);
      assertThat(read == null || read.size() == Block.ENTRIES).isTrue();
    }
    assertThat(bad.stream().limit(8)).allMatch(each -> Block.read(each, 0, 0) == null);
  }

  @Test
  void blockIsBounded() {
    Block.Writer writer = new Block.Writer(0);
    byte[] half = new byte[Block.MAX_BYTES / 2];
    assertThat(writer.add(new Arrival(0, 0, null, 0, Arrival.Content.LINE, half, 0))).isTrue();
    assertThat(writer.add(new Arrival(0, 1, null, 0, Arrival.Content.LINE, half, 0))).isFalse();
    assertThat(writer.content().length).isLessThan(Block.MAX_BYTES);
  }
}
