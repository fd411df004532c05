package dev.chatflow.log;

import dev.chatflow.log.Arrival.Identity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The last entries that a reader took. By them it finds its position again on another channel, and
 * detects that the log is not the one it read.
 *
 * <p>After a cut a broker may reuse offsets, and a log may contain the same entry twice, so one
 * equal entry proves little: all of the last {@value #ENTRIES} must be equal. One thread.
 */
final class Footprint {

  static final int ENTRIES = 16;

  /** The result of comparing an arrival with the position. */
  enum Found {
    /** The position is further on. */
    NOT_YET,
    /** This is the last entry that was taken: later entries are new. */
    THERE,
    /** The log is a different one. */
    LOST
  }

  // Oldest first; changed only by step().
  private final ArrayDeque<Identity> steps = new ArrayDeque<>(ENTRIES);

  // The last entries met during the search.
  private final ArrayDeque<Identity> met = new ArrayDeque<>(ENTRIES);

  /** Notes that the reader took an entry. */
  void step(Arrival arrival) {
    push(steps, arrival.identity());
  }

  private static void push(ArrayDeque<Identity> trail, Identity step) {
    if (trail.size() == length()) {
      trail.remove();
    }
    trail.add(step);
  }

  private static int length() {
    return ENTRIES;
  }

  boolean isEmpty() {
    return steps.isEmpty();
  }

  /** Returns the offset where reading starts again, if the log still has it. */
  long firstOffset() {
    return steps.element().offset();
  }

  /** Starts a search, which reads from the oldest known entry or earlier. */
  void look() {
    met.clear();
  }

  /** Compares the next arrival. */
  Found compare(Arrival arrival) {
    Identity step = arrival.identity();
    push(met, step);
    if (step.offset() == Arrival.NO_OFFSET) {
      return step.equals(steps.peekLast()) && areMet() ? Found.THERE : Found.NOT_YET;
    }
    long last = steps.getLast().offset();
    if (step.offset() < last) {
      return Found.NOT_YET;
    }
    return step.offset() == last && areMet() ? Found.THERE : Found.LOST;
  }

  /**
   * Returns whether the last entries met are all the known ones. A ring that has overwritten some
   * of them proves nothing: the entry at its head may repeat the last one.
   */
  private boolean areMet() {
    List<Identity> known = new ArrayList<>(steps);
    List<Identity> seen = new ArrayList<>(met);
    return seen.size() >= known.size()
        && seen.subList(seen.size() - known.size(), seen.size()).equals(known);
  }

  void clear() {
    steps.clear();
    met.clear();
  }
}
