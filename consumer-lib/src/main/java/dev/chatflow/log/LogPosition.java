package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * A position in a shard's log: after the last entry that was taken.
 *
 * <p>In a log without offsets an entry is identified by its lane. The position is then after the
 * last entry with a lane, and after a number of entries without one.
 *
 * @param offset the offset of the entry, or {@link Arrival#NO_OFFSET} in a log without offsets
 * @param lane the publishing lane as in headers; empty if there was none
 * @param number its number in its lane; 0 if it has none
 * @param built the cluster time at which it was built, in ms; 0 without a lane
 * @param strangers number of entries without a lane that were taken after it
 */
public record LogPosition(long offset, String lane, long number, long built, int strangers) {

  /** The position before the first entry of a log without offsets. */
  private static final LogPosition HEAD = new LogPosition(Arrival.NO_OFFSET, "", 0, 0, 0);

  /** Returns the position of an entry that has an offset or a lane. */
  static LogPosition of(Arrival arrival) {
    Entry entry = arrival.entry();
    return entry == null
        ? new LogPosition(arrival.offset(), "", 0, 0, 0)
        : new LogPosition(
            arrival.offset(), entry.lane().toString(), entry.number(), arrival.builtMillis(), 0);
  }

  /**
   * Returns the position after an entry.
   *
   * @param before the position before it; null at the beginning
   */
  static LogPosition behind(@Nullable LogPosition before, Arrival arrival) {
    if (arrival.entry() != null || arrival.offset() != Arrival.NO_OFFSET) {
      return of(arrival);
    }
    LogPosition last = before == null ? HEAD : before;
    return new LogPosition(last.offset, last.lane, last.number, last.built, last.strangers + 1);
  }

  /** Returns whether it is after this entry, ignoring {@link #strangers}. */
  boolean isBehind(Arrival arrival) {
    LogPosition other = of(arrival);
    return other.offset == offset
        && other.number == number
        && other.built == built
        && other.lane.equals(lane);
  }

  /** Returns whether it refers to an entry; otherwise it counts from the beginning of the log. */
  boolean hasEntry() {
    return !lane.isEmpty() || offset != Arrival.NO_OFFSET;
  }
}
