package dev.chatflow.log.amqp;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Entry;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes the blocks of one shard's log from the entries that are read. The server whose lane
 * published the last entry of a block publishes it, so each block is published once.
 *
 * <p>Thread-safe. Remembers the entries of one block.
 */
final class BlockCollector {

  /** Far from every offset: the first entry that is read follows none. */
  private static final long NONE = Long.MIN_VALUE / 2;

  private final Predicate<Lane> own;

  // Guarded by this.
  private long number = NONE;
  private long last = NONE;
  private Block.@Nullable Writer writer; // null if an entry is missing, or there are too many bytes
  private boolean lastIsOwn;
  private final Arrival.@Nullable Identity[] known = new Arrival.Identity[Block.ENTRIES];

  /**
   * Creates a collector without entries.
   *
   * @param own whether this server publishes with a lane
   */
  BlockCollector(Predicate<Lane> own) {
    this.own = own;
  }

  /**
   * Adds the next entry of a reading. Entries that were added before may be read again.
   *
   * @param live whether it is new, and not of the past that a reader starts with
   * @return the content of a block that this server has to publish now, or null
   */
  synchronized byte @Nullable [] add(Arrival arrival, boolean live) {
    long offset = arrival.offset();
    if (offset <= last && isSameLog(arrival)) {
      return null;
    }
    boolean follows = offset - last == 1 || offset - last == 2; // the broker takes single offsets
    byte[] block = null;
    if (!follows || Block.number(offset) != number) {
      block = follows && writer != null && lastIsOwn ? writer.content() : null;
      begin(offset, follows);
    }
    keep(arrival, live);
    return block;
  }

  /** Returns whether an earlier offset belongs to the log that is being collected. */
  private boolean isSameLog(Arrival arrival) {
    return Block.number(arrival.offset()) < number
        || arrival.identity().equals(known[index(arrival)]);
  }

  private void begin(long offset, boolean follows) {
    number = Block.number(offset);
    boolean isFirst = follows || offset % Block.ENTRIES == 0;
    writer = isFirst ? new Block.Writer(number) : null;
    lastIsOwn = false;
    Arrays.fill(known, null);
  }

  private void keep(Arrival arrival, boolean live) {
    last = arrival.offset();
    known[index(arrival)] = arrival.identity();
    Entry entry = arrival.entry();
    if (entry != null) {
      lastIsOwn = live && own.test(entry.lane());
    }
    if (writer != null && !writer.add(arrival)) {
      writer = null;
    }
  }

  private static int index(Arrival arrival) {
    return (int) (arrival.offset() % Block.ENTRIES);
  }
}
