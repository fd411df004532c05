package dev.chatflow.consumer.room;

import dev.chatflow.consumer.room.ShardLink.OwnFlight;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices a queue or a binding that vanished in silence: an own flight or beacon that the broker
 * confirmed does not come back.
 *
 * <p>Belongs to one consumer thread and its shards. It follows one confirmed flight of each shard
 * at a time, so that a lane that goes on publishing does not hide what it lost.
 */
final class Watchdog {

  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final class Watch {
    private final ShardLink link;
    private long lastReturnNanos;

    /** What is waited for; null between two of them. */
    private @Nullable OwnFlight awaited;

    private long sinceNanos;

    /** Which flight was followed last, by its time: a beacon has no number of its own. */
    private long followedNanos;

    Watch(ShardLink link, long nowNanos) {
      this.link = link;
      this.lastReturnNanos = nowNanos;
    }

    /** A beacon repeats a number: for it the time of the last return counts too. */
    private boolean isBack(OwnFlight flight) {
      return link.returnedSequence() >= flight.sequence()
          && lastReturnNanos - flight.publishedNanos() >= 0;
    }

    /** Turns to the lane's last flight once that is confirmed. */
    private void follow(long nowNanos) {
      OwnFlight last = link.flight(); // before its confirm is read: the lane writes in this order
      boolean confirmed = link.confirmedNanos() - last.publishedNanos() > 0;
      if (confirmed && last.publishedNanos() != followedNanos && link.generation() > 0) {
        awaited = last;
        sinceNanos = nowNanos;
        followedNanos = last.publishedNanos();
      }
    }
  }

  private final List<Watch> watches;

  /** When the newest of those own flights that came back was published. */
  private long newestReturnNanos;

  Watchdog(List<ShardLink> links, long nowNanos) {
    this.watches = links.stream().map(link -> new Watch(link, nowNanos)).toList();
    this.newestReturnNanos = nowNanos;
  }

  /** An own flight or beacon with this number came back; the link knows already. */
  void returned(ShardLink link, long sequence, long nowNanos) {
    for (Watch watch : watches) {
      if (watch.link == link) {
        watch.lastReturnNanos = nowNanos;
      }
    }
    OwnFlight last = link.flight();
    if (last.sequence() == sequence && last.publishedNanos() - newestReturnNanos > 0) {
      newestReturnNanos = last.publishedNanos();
    }
  }

  /** The queue is opened anew: what was missing stays missing and shows as a gap. */
  void restart() {
    watches.forEach(watch -> watch.awaited = null);
  }

  /**
   * Looks at all shards; called after each delivery, and at least every 50 ms.
   *
   * @param idle whether nothing waits to be taken
   * @return which message is missing, in words, or null
   */
  @Nullable String missing(long nowNanos, boolean idle) {
    for (Watch watch : watches) {
      OwnFlight awaited = watch.awaited;
      if (awaited == null || watch.isBack(awaited)) {
        watch.awaited = null;
        watch.follow(nowNanos);
      } else if (nowNanos - watch.sinceNanos >= PATIENCE_NANOS && (idle || isOvertaken(watch))) {
        return "own message %d of shard %d was confirmed and has not come back"
            .formatted(awaited.sequence(), watch.link.shard().index());
      }
    }
    return null;
  }

  /** The queue keeps order: what was published after the confirm cannot come back earlier. */
  private boolean isOvertaken(Watch watch) {
    return newestReturnNanos - watch.sinceNanos > 0;
  }
}
