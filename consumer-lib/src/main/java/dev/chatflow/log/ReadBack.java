package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * Decides how far back a reader starts, so that it remembers everything that decides on later
 * entries.
 *
 * <p>With offsets it starts some windows before a given entry, then twice as far, until its memory
 * is complete or the beginning of the log is reached. A ring is read from its oldest entry. A ring
 * that clearly was never full is read again as a log known from its birth, unless it begins with
 * another entry by then. One thread.
 */
final class ReadBack {

  /**
   * Number of windows read back at first: one is usually cut short, and two are needed after it.
   */
  private static final int FIRST_WINDOWS = 3;

  /** Allowance for entries of the broker among that many windows: one per segment. */
  private static final int SPARE_ENTRIES = 64;

  private final ReaderConfig config;

  private int windows = FIRST_WINDOWS;
  private long start;
  private boolean offsets;
  private boolean fromBirth;
  private Arrival.@Nullable Identity head;
  private long all;
  private long entries; // of this reading
  private long share; // bytes of the ring that its entries use

  ReadBack(ReaderConfig config) {
    this.config = config;
  }

  /** Returns how many entries before the relevant one a stream is read. */
  long length() {
    return (long) windows * config.stream().entries() + SPARE_ENTRIES;
  }

  /** Starts a reading with the oldest entry. */
  Logs.Start oldest(boolean haveOffsets) {
    begin(haveOffsets, 0);
    return new Logs.Start.Oldest();
  }

  /** Starts a reading at this offset of a stream with this end, or at the first one. */
  Logs.Start from(long offset, long end) {
    begin(true, Math.max(0, offset));
    return new Logs.Start.At(start, end);
  }

  private void begin(boolean haveOffsets, long at) {
    offsets = haveOffsets;
    start = at;
    entries = 0;
    share = 0;
  }

  /**
   * Notes an entry.
   *
   * @return whether it is the first one the log ever had, so that everything will be known
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

  /**
   * Returns whether the ring still begins with the same entry. A reader that was paused between two
   * readings may find that the ring was overwritten.
   */
  private boolean isHeadAsBefore(Arrival arrival) {
    Arrival.Identity before = head;
    head = arrival.identity();
    fromBirth &= head.equals(before);
    return fromBirth;
  }

  /** Extends the next reading further back; false if the log does not go further back. */
  boolean reachFurther() {
    if (offsets) {
      windows *= 2;
      return start > 0;
    }
    boolean neverFull = !fromBirth && share <= config.ringBytes() / 2;
    fromBirth |= neverFull;
    return neverFull;
  }

  /** Returns the number of entries of this reading. */
  long entries() {
    return entries;
  }

  /** Returns the number of entries of all readings. */
  long all() {
    return all;
  }
}
