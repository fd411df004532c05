package dev.chatflow.server.publish;

import dev.chatflow.log.ServerStatistics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When a server tells the others how it goes: in each log it writes to, on the first entry after
 * every {@value #SECONDS} s, which a beacon is at the latest. Any thread; one at a time for each
 * shard.
 */
final class StatisticsSchedule {

  /** A little less than beacons are apart. */
  static final int SECONDS = 3;

  private static final long EVERY_NANOS = Duration.ofSeconds(SECONDS).toNanos();

  private final Supplier<ServerStatistics> statistics;
  private final AtomicLongArray toldNanos;

  /** Makes one that is due at once in each of so many shards. */
  StatisticsSchedule(int shards, Supplier<ServerStatistics> statistics, long nowNanos) {
    this.statistics = statistics;
    this.toldNanos = new AtomicLongArray(shards);
    for (int shard = 0; shard < shards; shard++) {
      toldNanos.set(shard, nowNanos - EVERY_NANOS);
    }
  }

  /** What the next entry of a shard is to say; null for nothing. */
  @Nullable String due(int shard, long nowNanos) {
    if (nowNanos - toldNanos.get(shard) < EVERY_NANOS) {
      return null;
    }
    toldNanos.set(shard, nowNanos);
    return statistics.get().toString();
  }
}
