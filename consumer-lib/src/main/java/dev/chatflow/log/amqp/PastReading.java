package dev.chatflow.log.amqp;

import dev.chatflow.log.Arrival;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the past of a log by its blocks, and entry by entry where there is no block. One thread,
 * which parks.
 */
final class PastReading {

  /** A block follows its entries within this many others, if its server was not paused. */
  private static final int SEARCHED_ENTRIES = 64;

  /** Maximum number of blocks that are passed without a search, after some were missing. */
  private static final int MAX_SKIPPED_BLOCKS = 64;

  /** Part of a log, entry by entry. */
  interface Entries extends AutoCloseable {

    /** Returns the next entry; parks until it arrives. */
    Arrival next() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Opens a log at an offset. */
  interface Source {

    /**
     * Opens it.
     *
     * @param few whether only the first entries will be needed
     */
    Entries from(long offset, boolean few) throws IOException;
  }

  /** Receives the entries in order; parks while there are too many. */
  interface Sink {
    void put(Arrival arrival) throws IOException;
  }

  private final Source source;
  private final Sink sink;

  PastReading(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
  }

  /**
   * Reads up to the last whole block.
   *
   * @param from the first offset
   * @param end the offset of an entry that exists
   * @return the next offset to read
   */
  long read(long from, long end) throws IOException {
    long next = from;
    int skipped = 1;
    while (Block.end(Block.number(next)) <= end) {
      long number = Block.number(next);
      List<Arrival> block = find(number, end);
      if (block == null) {
        long whole = Block.number(end) - 1;
        next = readEach(next, Block.end(Math.min(whole, number + skipped - 1)));
        skipped = Math.min(2 * skipped, MAX_SKIPPED_BLOCKS);
      } else {
        next = put(block, next);
        skipped = 1;
      }
    }
    return next;
  }

  private @Nullable List<Arrival> find(long number, long end) throws IOException {
    try (Entries entries = source.from(Block.end(number), true)) {
      for (int looked = 0; looked < SEARCHED_ENTRIES; looked++) {
        Arrival arrival = entries.next();
        List<Arrival> block =
            arrival.content() == Arrival.Content.BLOCK
                ? Block.read(arrival.body(), number, arrival.arrivedNanos())
                : null;
        if (block != null || arrival.offset() >= end) {
          return block;
        }
      }
    }
    return null;
  }

  private long put(List<Arrival> block, long from) throws IOException {
    for (Arrival arrival : block) {
      if (arrival.offset() >= from) {
        sink.put(arrival);
      }
    }
    return Block.end(Block.number(from));
  }

  /** Reads entries up to an offset. The log may begin later than the first one. */
  private long readEach(long from, long until) throws IOException {
    try (Entries entries = source.from(from, false)) {
      Arrival arrival = entries.next();
      while (arrival.offset() < until) {
        sink.put(arrival);
        arrival = entries.next();
      }
      return arrival.offset();
    }
  }
}
