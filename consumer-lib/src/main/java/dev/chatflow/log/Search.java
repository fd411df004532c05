package dev.chatflow.log;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the position of a {@link PositionReader} in its log: where to start reading, and whether an
 * entry is before or after the position. One thread.
 */
final class Search {

  /** A position this far beyond the last chunk's first entry is beyond the end of the log. */
  private static final int CHUNK_ENTRIES = 4_096;

  /**
   * An entry built this much later is not before the position: a server's first entry has the time
   * of its own clock, which may be wrong.
   */
  private static final long STEP_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** The location of an entry. */
  enum Met {
    BEFORE,
    BEHIND,
    /** After a position that the log no longer contains. */
    TRUNCATED,
    /** After a position that a ring has overwritten, although a copy of its entry may follow. */
    OVERWRITTEN,
    /** In a log other than the one of the position. */
    ANOTHER_LOG
  }

  private final @Nullable LogPosition position;
  private final ReadBack readBack;

  private boolean measured;
  private boolean offsets;
  private long end;
  private boolean found;
  private int strangersLeft;
  private long held;

  /**
   * Begins a search.
   *
   * @param position null if nothing was taken yet
   */
  Search(ReaderConfig config, @Nullable LogPosition position) {
    this.position = position;
    this.readBack = new ReadBack(config);
  }

  /** Sets the offset of the log's newest entries. */
  void endsAt(long offset) {
    end = offset;
  }

  long end() {
    return end;
  }

  /**
   * Begins a reading.
   *
   * @param entriesHeld number of entries in a ring now
   * @return where to start
   */
  Logs.Start begin(boolean haveOffsets, long entriesHeld) {
    offsets = haveOffsets;
    held = entriesHeld;
    strangersLeft = position == null ? 0 : position.strangers();
    found = position == null || (!position.hasEntry() && strangersLeft == 0);
    if (position == null || !offsets) {
      return readBack.oldest(offsets);
    }
    return readBack.from(Math.min(end, position.offset() - readBack.length()), end);
  }

  /**
   * Notes an entry.
   *
   * @return whether it is the first one the log ever had
   */
  boolean read(Arrival arrival) {
    return readBack.read(arrival);
  }

  /** Returns the location of the entry that was read; an entry at the position is before it. */
  Met met(Arrival arrival) {
    LogPosition looked = position;
    if (looked == null || isAtPosition()) {
      return Met.BEHIND;
    }
    if (found || !looked.hasEntry()) {
      if (arrival.entry() != null) {
        strangersLeft = 0; // fewer than before: later entries are new
        found = true;
        return Met.BEHIND;
      }
      strangersLeft--;
      found = true;
      return Met.BEFORE;
    }
    if (looked.isBehind(arrival)) {
      found = true;
      return Met.BEFORE;
    }
    return offsets ? metOfStream(arrival, looked) : metOfRing(arrival, looked);
  }

  /** A lane publishes its numbers in order, so a higher one is after the position's entry. */
  private Met metOfRing(Arrival arrival, LogPosition looked) {
    Entry entry = arrival.entry();
    boolean isLater =
        entry != null
            && entry.number() > looked.number()
            && entry.lane().toString().equals(looked.lane());
    return isLater ? Met.OVERWRITTEN : entries() > held ? Met.TRUNCATED : Met.BEFORE;
  }

  private Met metOfStream(Arrival arrival, LogPosition looked) {
    if (entries() == 1 && arrival.offset() > looked.offset()) {
      return Met.TRUNCATED;
    }
    boolean another =
        looked.offset() > end + CHUNK_ENTRIES
            || arrival.offset() >= looked.offset()
            || isBuiltAfter(arrival, looked);
    return another ? Met.ANOTHER_LOG : Met.BEFORE;
  }

  private static boolean isBuiltAfter(Arrival arrival, LogPosition looked) {
    return looked.built() > 0 && arrival.builtMillis() > looked.built() + STEP_MILLIS;
  }

  /** Returns whether everything before the position was read. */
  boolean isAtPosition() {
    return found && strangersLeft <= 0;
  }

  /** Returns whether the log was read up to its end at the start of the reading. */
  boolean isPastEnd(Arrival arrival) {
    return offsets ? arrival.offset() >= end : entries() >= held;
  }

  /**
   * Returns whether the ring is empty and there is no position to find, so that waiting is useless.
   */
  boolean hasNothingToFind() {
    return !offsets && held == 0 && position == null;
  }

  /** Returns whether the end was reached without finding the position. */
  boolean isPositionGoneAtEnd() {
    boolean isEmptyRing = !offsets && held == 0;
    return position != null && !isAtPosition() && (entries() > 0 || isEmptyRing);
  }

  /** Extends the next reading further back; false if the log does not go further back. */
  boolean reachFurther() {
    boolean further = readBack.reachFurther();
    boolean again = !offsets && !measured;
    measured = true;
    return offsets ? further : again;
  }

  /** Returns whether the start of the log is known; a ring has to be read to its end once. */
  boolean mayBegin() {
    return offsets || measured;
  }

  long entries() {
    return readBack.entries();
  }
}
