package dev.chatflow.room;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest signals of a room: frames for members that are connected now, which no later member
 * gets.
 *
 * <p>The reader thread adds and removes, writers read. Bounded: at most {@value #MAX} signals of at
 * most 2 seconds; older ones are removed, and members that have not got them never will.
 */
final class Signals {

  /** Maximum number of signals that a room holds. */
  static final int MAX = 64;

  private static final long KEEP_NANOS = 2_000_000_000;

  /**
   * A signal.
   *
   * @param at its place: after all frames before this boundary of the room's log
   * @param frame its complete WebSocket frame; not to be consumed
   */
  record Signal(Boundary at, ByteBuffer frame, long addedNanos) {}

  /**
   * The signals that a room holds.
   *
   * @param end the number of signals that were ever added
   * @param newest the last ones of them, in order
   */
  private record Held(long end, List<Signal> newest) {

    /** Returns the oldest one that was added after the first {@code taken}. */
    Signal next(long taken) {
      return newest.get((int) Math.max(0, taken - end + newest.size()));
    }
  }

  /**
   * The signals that a member gets next.
   *
   * @param end the number of signals that it has then taken or missed
   * @param missed the number of earlier ones that are not held any more
   */
  record Taken(List<Signal> signals, long end, long missed) {}

  private volatile Held held = new Held(0, List.of());

  /** Adds the frame of a signal after everything in the log. */
  void add(Payload payload, Boundary tail, long nowNanos) {
    Held before = held;
    int first = Math.max(0, before.newest.size() - MAX + 1);
    List<Signal> newest = new ArrayList<>(before.newest.subList(first, before.newest.size()));
    newest.add(new Signal(tail, Frame.text(payload.copy()), nowNanos));
    held = new Held(before.end + 1, newest);
  }

  /** Removes signals that are too old to be of use. */
  void removeOld(long nowNanos) {
    Held before = held;
    List<Signal> newest = before.newest;
    if (!newest.isEmpty() && nowNanos - newest.getFirst().addedNanos() > KEEP_NANOS) {
      List<Signal> young =
          newest.stream().filter(each -> nowNanos - each.addedNanos() <= KEEP_NANOS).toList();
      held = new Held(before.end, young);
    }
  }

  boolean isEmpty() {
    return held.newest.isEmpty();
  }

  /** Returns the number of signals that were ever added. */
  long end() {
    return held.end;
  }

  /** Returns whether {@link #take} would return any. */
  boolean isDue(long taken, Boundary limit) {
    Held now = held;
    return now.end > taken && !now.newest.isEmpty() && !limit.isBefore(now.next(taken).at());
  }

  /**
   * Returns those that were added after the first {@code taken}, in order, up to a boundary of the
   * log.
   */
  Taken take(long taken, Boundary limit) {
    Held now = held;
    long first = Math.max(taken, now.end - now.newest.size());
    List<Signal> due = new ArrayList<>();
    for (long next = first; next < now.end && !limit.isBefore(now.next(next).at()); next++) {
      due.add(now.next(next));
    }
    return new Taken(due, first + due.size(), first - taken);
  }
}
