package dev.chatflow.record;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Estimates how long the shard logs hold messages at the recent rate, which is how long the
 * recorder may be down without a loss.
 *
 * <p>Thread-safe; {@link #look} is called by one thread, every few seconds.
 */
final class RetentionEstimate {

  /** Minimum time between two samples for a meaningful rate. */
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The factor by which an older, higher rate decays with each sample. */
  private static final double DECAY = 0.9;

  private final List<LongSupplier> bytesRead;
  private final LongSupplier logBytes;
  private long[] before;
  private long lookedNanos;
  private volatile double bytesPerSecond;

  /**
   * Starts the estimate.
   *
   * @param bytesRead bytes read of each shard log so far
   * @param logBytes minimum size that the broker keeps of a log
   */
  RetentionEstimate(List<LongSupplier> bytesRead, LongSupplier logBytes, long nowNanos) {
    this.bytesRead = List.copyOf(bytesRead);
    this.logBytes = logBytes;
    this.before = read();
    this.lookedNanos = nowNanos;
  }

  private long[] read() {
    return bytesRead.stream().mapToLong(LongSupplier::getAsLong).toArray();
  }

  /** Samples the rate of the busiest shard; without new entries the rate is unchanged. */
  void look(long nowNanos) {
    long took = nowNanos - lookedNanos;
    if (took < LEAST_NANOS) {
      return;
    }
    long[] now = read();
    long most = 0;
    for (int shard = 0; shard < now.length; shard++) {
      most = Math.max(most, now[shard] - before[shard]);
    }
    before = now;
    lookedNanos = nowNanos;
    if (most > 0) {
      double rate = most * (double) TimeUnit.SECONDS.toNanos(1) / took;
      bytesPerSecond = Math.max(rate, bytesPerSecond * DECAY);
    }
  }

  /** Returns the estimate in seconds; {@link Long#MAX_VALUE} before anything was read. */
  long seconds() {
    double rate = bytesPerSecond;
    return rate <= 0 ? Long.MAX_VALUE : (long) (logBytes.getAsLong() / rate);
  }
}
