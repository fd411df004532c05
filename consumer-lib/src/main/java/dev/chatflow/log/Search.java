package dev.chatflow.log;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the position of a {@link PositionReader} in its log: where to begin to read, and whether an
 * entry precedes the place or follows it. One thread.
 */
final class Search {

  /** A place so much behind the last chunk's first entry is behind the log's end. */
  private static final int CHUNK_ENTRIES = 4_096;

  /**
   * An entry that was built so much later does not precede the place: a server's first entry has
   * the time of its own clock, which may be wrong.
   */
  private static final long STEP_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** Where an entry stands. */
  enum Met {
    BEFORE,
    BEHIND,
    /** Behind a place that is not in the log any more. */
    TRUNCATED,
    /** In a log that is not the one of the place. */
    ANOTHER_LOG
  }

  private final @Nullable LogPosition position;
  private final boolean keepsMemory;
  private final int copies;
  private final ReadBack readBack;

  private boolean measured;
  private boolean offsets;
  private long end;
  private boolean found;
  private int strangersLeft;
  private int copiesLeft;
  private long held;

  /**
   * Begins to search.
   *
   * @param position null when nothing was taken yet
   * @param keepsMemory whether everything up to the place is remembered
   * @param copies that follow the place and are remembered, too
   */
  Search(ReaderConfig config, @Nullable LogPosition position, boolean keepsMemory, int copies) {
    this.position = position;
    this.keepsMemory = keepsMemory;
    this.copies = copies;
    this.readBack = new ReadBack(config);
  }

  boolean keepsMemory() {
    return keepsMemory;
  }

  /** The log's newest entries begin at this offset. */
  void endsAt(long offset) {
    end = offset;
  }

  /**
   * A reading begins.
   *
   * @param entriesHeld by a ring at this moment
   * @return where
   */
  Logs.Start begin(boolean haveOffsets, long entriesHeld) {
    offsets = haveOffsets;
    held = entriesHeld;
    copiesLeft = copies;
    strangersLeft = position == null ? 0 : position.strangers();
    found = position == null || (!position.hasEntry() && strangersLeft == 0);
    if (position == null || !offsets) {
      return readBack.oldest(offsets);
    }
    long back = keepsMemory ? 0 : readBack.length();
    return readBack.from(Math.min(end, position.offset() - back));
  }

  /**
   * An entry was read.
   *
   * @return whether it is the first one the log ever had, and nothing is remembered yet
   */
  boolean read(Arrival arrival) {
    return readBack.read(arrival) && !keepsMemory;
  }

  /** Where the entry that was read stands; an entry at the place is before it. */
  Met met(Arrival arrival) {
    LogPosition looked = position;
    if (looked == null || isAtPosition()) {
      return Met.BEHIND;
    }
    if (found && strangersLeft <= 0) {
      copiesLeft--; // judged again, it would move the window
      return Met.BEFORE;
    }
    if (found || !looked.hasEntry()) {
      if (arrival.entry() != null) {
        strangersLeft = 0; // fewer than there were: what follows is new
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
    return offsets ? metOfStream(arrival, looked) : entries() > held ? Met.TRUNCATED : Met.BEFORE;
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

  /** Whether everything that is remembered or precedes the place was read. */
  boolean isAtPosition() {
    return found && strangersLeft <= 0 && copiesLeft <= 0;
  }

  /** Whether a log without a place has been read as far as it went when the reading began. */
  boolean isPastEnd(Arrival arrival) {
    return offsets ? arrival.offset() >= end : entries() >= held;
  }

  /** Whether a ring is empty and no place is to be found in it: there is nothing to wait for. */
  boolean hasNothingToFind() {
    return !offsets && held == 0 && position == null;
  }

  /** Nothing more comes: whether a place was to be found and was not. */
  boolean isPositionGoneAtEnd() {
    boolean isEmptyRing = !offsets && held == 0;
    return position != null && !isAtPosition() && (entries() > 0 || isEmptyRing);
  }

  /** Reaches further back the next time; false when the log does not. */
  boolean reachFurther() {
    boolean further = readBack.reachFurther();
    boolean again = !offsets && !measured;
    measured = true;
    return offsets ? further : again;
  }

  /** Whether it is known how far the log reaches back: a ring is read to its end once for that. */
  boolean mayBegin() {
    return offsets || measured;
  }

  long entries() {
    return readBack.entries();
  }
}
