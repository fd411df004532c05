package dev.chatflow.server.publish;

import dev.chatflow.log.ServerStatistics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a server publishes its statistics: in each log it writes to, on the first entry
 * after every {@value #SECONDS} s, at the latest on a beacon. Thread-safe, for one thread at a time
 * per shard.
 */
final class StatisticsSchedule {

  /** Slightly less than the beacon interval. */
  static final int SECONDS = 3;

  private static final long EVERY_NANOS = Duration.ofSeconds(SECONDS).toNanos();

  private final Supplier<ServerStatistics> statistics;
  private final AtomicLongArray sentNanos;

  /** Creates a schedule in which every shard is due at once. */
  StatisticsSchedule(int shards, Supplier<ServerStatistics> statistics, long nowNanos) {
    this.statistics = statistics;
    this.sentNanos = new AtomicLongArray(shards);
    for (int shard = 0; shard < shards; shard++) {
      sentNanos.set(shard, nowNanos - EVERY_NANOS);
    }
  }

  /** Returns the statistics for the next entry of a shard; null for none. */
  @Nullable String due(int shard, long nowNanos) {
    if (nowNanos - sentNanos.get(shard) < EVERY_NANOS) {
      return null;
    }
    sentNanos.set(shard, nowNanos);
    return statistics.get().toString();
  }
}
