package dev.chatflow.server.publish;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/**
 * Tracks since when the lane of each shard has accepted new clients without a break, with a
 * resolution of one second.
 *
 * <p>Thread-safe. Times are values of {@link System#nanoTime}, passed by the caller.
 */
final class LaneOpenTimes {

  private final AtomicLongArray shutNanos;

  /** Starts with all lanes closed. */
  LaneOpenTimes(int shards, long nowNanos) {
    shutNanos = new AtomicLongArray(shards);
    look(_ -> false, nowNanos);
  }

  /** Samples all lanes; {@code isOpen} is called with a shard's index. */
  void look(IntPredicate isOpen, long nowNanos) {
    for (int shard = 0; shard < shutNanos.length(); shard++) {
      if (!isOpen.test(shard)) {
        shutNanos.set(shard, nowNanos);
      }
    }
  }

  /** Returns for how many ns a shard's lane has been open. */
  long openNanos(int shard, long nowNanos) {
    return Math.max(0, nowNanos - shutNanos.get(shard));
  }
}
