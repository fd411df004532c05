package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * How far back a reader begins to read, so that it remembers everything that decides on the entries
 * to come.
 *
 * <p>With offsets it begins some windows before a given entry, then twice as far, until its memory
 * is complete or the log's beginning is reached. A ring is read from its oldest entry. A ring that
 * was clearly never full is read once more as a log known from its birth, unless it begins with
 * another entry by then. One thread.
 */
final class ReadBack {

  /** Windows that are read back at first: one is usually cut short, two are needed behind it. */
  private static final int FIRST_WINDOWS = 3;

  /** Entries of the broker's own that may lie among so many windows: one a segment. */
  private static final int SPARE_ENTRIES = 64;

  private final ReaderConfig config;

  private int windows = FIRST_WINDOWS;
  private long start;
  private boolean offsets;
  private boolean fromBirth;
  private Footprint.@Nullable Step head;
  private long all;
  private long entries; // of this reading
  private long share; // of a ring's bytes, that its entries take

  ReadBack(ReaderConfig config) {
    this.config = config;
  }

  /** How many entries before the one that matters a stream is read. */
  long length() {
    return (long) windows * config.stream().entries() + SPARE_ENTRIES;
  }

  /** A reading begins with the oldest entry. */
  Logs.Start oldest(boolean haveOffsets) {
    begin(haveOffsets, 0);
    return new Logs.Start.Oldest();
  }

  /** A reading begins at this offset of a stream, or at the first one. */
  Logs.Start from(long offset) {
    begin(true, Math.max(0, offset));
    return new Logs.Start.At(start);
  }

  private void begin(boolean haveOffsets, long at) {
    offsets = haveOffsets;
    start = at;
    entries = 0;
    share = 0;
  }

  /**
   * An entry was read.
   *
   * @return whether it is the first one the log ever had, so that all there is becomes known
   */
  boolean read(Arrival arrival) {
    entries++;
    all++;
    share += config.ringShare(arrival.body().length);
    return entries == 1 && (offsets ? isFirstOfAll(arrival) : isHeadAsBefore(arrival));
  }

  private boolean isFirstOfAll(Arrival arrival) {
    return start == 0 && arrival.offset() <= 1;
  }

  /** A reader that stood still between two readings may find a ring that went round meanwhile. */
  private boolean isHeadAsBefore(Arrival arrival) {
    Footprint.Step before = head;
    head = Footprint.Step.of(arrival);
    fromBirth &= head.equals(before);
    return fromBirth;
  }

  /** Reaches further back the next time; false when the log does not. */
  boolean reachFurther() {
    if (offsets) {
      windows *= 2;
      return start > 0;
    }
    boolean neverFull = !fromBirth && share <= config.ringBytes() / 2;
    fromBirth |= neverFull;
    return neverFull;
  }

  /** How many entries this reading has brought. */
  long entries() {
    return entries;
  }

  /** How many entries all readings have brought. */
  long all() {
    return all;
  }
}
