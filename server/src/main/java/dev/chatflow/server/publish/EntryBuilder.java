package dev.chatflow.server.publish;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.Batch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the entries of one lane from its queue. Used only by the lane's thread. */
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
   * Builds an entry from as many waiting lines as fit; a beacon if none waits.
   *
   * @param nameable the number that a beacon names
   */
  LaneEntry build(LaneQueue queue, long number, long nameable, PresenceHeaders presenceHeaders) {
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
        presenceHeaders,
        batch.body(),
        batch.size(),
        batch.onlyRoom(),
        batch.size() == 1 ? first : null,
        accepted,
        List.copyOf(fates));
  }

  /** Builds a page of the lane's members or, if it is empty, an entry with only headers. */
  LaneEntry page(byte[] page, long number, long nameable, PresenceHeaders presenceHeaders) {
    return new LaneEntry(
        lane, number, nameable, time.next(), presenceHeaders, page, 0, null, null, 0, List.of());
  }

  /**
   * Returns the lowest number: the number named when a line was accepted counts, not the one that
   * could be named by now.
   */
  private static long least(long named, long namedAtTaking) {
    return Math.min(named, namedAtTaking);
  }

  private static void addFate(List<Fate> fates, @Nullable Fate fate) {
    if (fate != null) {
      fates.add(fate);
    }
  }
}
