package dev.chatflow.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last entries that a reader took, by which it finds its place again on another channel, and
 * notices that the log is not the one it read.
 *
 * <p>After a cut a broker may use offsets again, and a repeat may stand in a log twice, so one
 * equal entry proves little: all of the last {@value #ENTRIES} must be equal. One thread.
 */
final class Footprint {

  static final int ENTRIES = 16;

  /** What an arrival says while the reader looks for its place. */
  enum Found {
    /** Its place lies further on. */
    NOT_YET,
    /** This is the last entry that was taken: what follows is new. */
    THERE,
    /** The log is another. */
    LOST
  }

  /** What an entry is known by; for one without a lane the length of its body must do. */
  record Step(long offset, @Nullable Entry entry, long builtMillis, int bodyBytes) {

    static Step of(Arrival arrival) {
      return new Step(
          arrival.offset(), arrival.entry(), arrival.builtMillis(), arrival.body().length);
    }
  }

  // Oldest first; changed by step() only.
  private final ArrayDeque<Step> steps = new ArrayDeque<>(ENTRIES);

  // The last ones that were met while looking.
  private final ArrayDeque<Step> met = new ArrayDeque<>(ENTRIES);

  /** The reader took an entry. */
  void step(Arrival arrival) {
    push(steps, Step.of(arrival));
  }

  private static void push(ArrayDeque<Step> trail, Step step) {
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

  /** Where to begin to read again, if the log reaches that far. */
  long firstOffset() {
    return steps.element().offset();
  }

  /** Begins to look: from the oldest known entry, or from before it. */
  void look() {
    met.clear();
  }

  /** Compares the next arrival. */
  Found compare(Arrival arrival) {
    Step step = Step.of(arrival);
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
   * Whether the last entries that were met are all those that are known. A ring that has
   * overwritten some of them proves nothing: what stands at its head may be a repeat of the last
   * one.
   */
  private boolean areMet() {
    List<Step> known = new ArrayList<>(steps);
    List<Step> seen = new ArrayList<>(met);
    return seen.size() >= known.size()
        && seen.subList(seen.size() - known.size(), seen.size()).equals(known);
  }

  void clear() {
    steps.clear();
    met.clear();
  }
}
