package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.Signals;
import dev.chatflow.message.Batch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the entries of one lane out of what waits in its queue. The lane's thread alone uses it.
 */
final class EntryBuilder {

  private final Lane lane;
  private final ClusterTime time;
  private final Batch batch = new Batch();

  EntryBuilder(Lane lane, ClusterTime time) {
    this.lane = lane;
    this.time = time;
  }

  Lane lane() {
    return lane;
  }

  /**
   * As many of the waiting lines as one entry holds; a beacon when none waits.
   *
   * @param nameable what a beacon names
   */
  LaneEntry build(LaneQueue queue, long number, long nameable, Signals signals) {
    batch.clear();
    List<Fate> fates = new ArrayList<>();
    LaneEntry.Single first = null;
    long read = nameable;
    WaitingLine next = queue.peek();
    long accepted = next == null ? 0 : next.acceptedNanos();
    while (next != null && batch.fits(next.bytes())) {
      read = least(read, next.read());
      first = batch.size() == 0 ? new LaneEntry.Single(next.messageId(), next.type()) : first;
      batch.add(next.room(), next.bytes());
      addFate(fates, next.fate());
      queue.poll();
      next = queue.peek();
    }
    return new LaneEntry(
        lane,
        number,
        read,
        time.next(),
        signals,
        batch.body(),
        batch.size(),
        batch.onlyRoom(),
        batch.size() == 1 ? first : null,
        accepted,
        List.copyOf(fates));
  }

  /** A page of the lane's members, or, when it is empty, nothing but headers. */
  LaneEntry page(byte[] page, long number, long nameable, Signals signals) {
    return new LaneEntry(
        lane, number, nameable, time.next(), signals, page, 0, null, null, 0, List.of());
  }

  /** What was named when a line was taken counts, not what could be named by now. */
  private static long least(long named, long namedAtTaking) {
    return Math.min(named, namedAtTaking);
  }

  private static void addFate(List<Fate> fates, @Nullable Fate fate) {
    if (fate != null) {
      fates.add(fate);
    }
  }
}
