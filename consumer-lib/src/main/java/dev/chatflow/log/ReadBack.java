package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * How far back an attaching reader reads: where it begins, and whether what it read is enough.
 *
 * <p>With offsets it begins some windows before the end, then twice as far, until its memory is
 * complete or the log's beginning is reached. A ring is read whole; when it was clearly never full,
 * it is read once more as the log that it has been from its birth, unless it begins with another
 * entry by then. One thread.
 */
final class ReadBack {

  /** Windows that are read back at first: one is usually cut short, two are needed behind it. */
  private static final int FIRST_WINDOWS = 3;

  /** Entries of the broker's own that may lie among so many windows: one a segment. */
  private static final int SPARE_ENTRIES = 64;

  private final ReaderConfig config;
  private final long begunNanos;

  private int windows = FIRST_WINDOWS;
  private long end;
  private long start;
  private boolean fromBirth;
  private Footprint.@Nullable Step head;
  private boolean first;
  private boolean offsets;
  private long entries;
  private long share; // of a ring's bytes, that its entries take

  ReadBack(ReaderConfig config, long nowNanos) {
    this.config = config;
    this.begunNanos = nowNanos;
  }

  /** The log's newest entries begin at this offset: reading begins so far before. */
  void endsAt(long offset) {
    end = offset;
    start = Math.max(0, end - (long) windows * config.stream().entries() - SPARE_ENTRIES);
  }

  long start() {
    return start;
  }

  /** Reading begins, once more. */
  void begin(boolean haveOffsets) {
    offsets = haveOffsets;
    first = true;
    share = 0;
  }

  /**
   * An entry was read.
   *
   * @return whether it is the first one the log ever had, so that all there is becomes known
   */
  boolean read(Arrival arrival) {
    boolean isBirth = first && (offsets ? isFirstOfAll(arrival) : isHeadAsBefore(arrival));
    first = false;
    entries++;
    share += config.ringShare(arrival.body().length);
    return isBirth;
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
      boolean further = start > 0;
      endsAt(end);
      return further;
    }
    boolean neverFull = !fromBirth && share <= config.ringBytes() / 2;
    fromBirth |= neverFull;
    return neverFull;
  }

  /** All entries that were read since it began. */
  long entries() {
    return entries;
  }

  long tookNanos(long nowNanos) {
    return nowNanos - begunNanos;
  }
}
