package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * A place in a shard's log: behind the last entry that was taken.
 *
 * <p>In a log without offsets an entry is known by its lane; so the place is behind the last one
 * that has a lane, and behind so many that have none.
 *
 * @param offset where the entry stands, or {@link Arrival#NO_OFFSET} in a log without offsets
 * @param lane who published it, as in headers; empty when no lane did
 * @param number its number in its lane; 0 when it has none
 * @param built the cluster time at which it was built, in ms; 0 when no lane did
 * @param strangers entries without a lane that were taken behind it
 */
public record LogPosition(long offset, String lane, long number, long built, int strangers) {

  /** Before the first entry of a log without offsets. */
  private static final LogPosition HEAD = new LogPosition(Arrival.NO_OFFSET, "", 0, 0, 0);

  /** The place of an entry that has an offset or a lane. */
  static LogPosition of(Arrival arrival) {
    Entry entry = arrival.entry();
    return entry == null
        ? new LogPosition(arrival.offset(), "", 0, 0, 0)
        : new LogPosition(
            arrival.offset(), entry.lane().toString(), entry.number(), arrival.builtMillis(), 0);
  }

  /**
   * The place behind an entry.
   *
   * @param before the place before it; null at the beginning
   */
  static LogPosition behind(@Nullable LogPosition before, Arrival arrival) {
    if (arrival.entry() != null || arrival.offset() != Arrival.NO_OFFSET) {
      return of(arrival);
    }
    LogPosition last = before == null ? HEAD : before;
    return new LogPosition(last.offset, last.lane, last.number, last.built, last.strangers + 1);
  }

  /** Whether it is behind this entry, and perhaps behind {@link #strangers} more. */
  boolean isBehind(Arrival arrival) {
    LogPosition other = of(arrival);
    return other.offset == offset
        && other.number == number
        && other.built == built
        && other.lane.equals(lane);
  }

  /** Whether it is known by an entry; else it counts from where the log begins. */
  boolean hasEntry() {
    return !lane.isEmpty() || offset != Arrival.NO_OFFSET;
  }
}
