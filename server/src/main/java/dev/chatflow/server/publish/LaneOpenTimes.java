package dev.chatflow.server.publish;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/**
 * Since when the lane of each shard has taken newcomers without a break, as far as one sees who
 * looks once a second.
 *
 * <p>Any thread. Times are those of {@link System#nanoTime}, given by the caller.
 */
final class LaneOpenTimes {

  private final AtomicLongArray shutNanos;

  /** All are shut. */
  LaneOpenTimes(int shards, long nowNanos) {
    shutNanos = new AtomicLongArray(shards);
    look(_ -> false, nowNanos);
  }

  /** Looks at each; {@code isOpen} is asked for a shard's index. */
  void look(IntPredicate isOpen, long nowNanos) {
    for (int shard = 0; shard < shutNanos.length(); shard++) {
      if (!isOpen.test(shard)) {
        shutNanos.set(shard, nowNanos);
      }
    }
  }

  /** For how many ns a shard's has been open. */
  long openNanos(int shard, long nowNanos) {
    return Math.max(0, nowNanos - shutNanos.get(shard));
  }
}
