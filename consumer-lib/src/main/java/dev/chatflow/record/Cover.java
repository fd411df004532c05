package dev.chatflow.record;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long the logs hold what is said, at the rate at which it was read lately: so long the record
 * may be away without a loss.
 *
 * <p>Any thread; {@link #look} by one, every few seconds.
 */
final class Cover {

  /** Without this much between two looks a rate says nothing. */
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What is left of an old, higher rate after each look. */
  private static final double DECAY = 0.9;

  private final List<LongSupplier> bytesRead;
  private final LongSupplier logBytes;
  private long[] before;
  private long lookedNanos;
  private volatile double bytesPerSecond;

  /**
   * Begins to watch.
   *
   * @param bytesRead of each shard's log so far
   * @param logBytes that the broker keeps of a log at least
   */
  Cover(List<LongSupplier> bytesRead, LongSupplier logBytes, long nowNanos) {
    this.bytesRead = List.copyOf(bytesRead);
    this.logBytes = logBytes;
    this.before = read();
    this.lookedNanos = nowNanos;
  }

  private long[] read() {
    return bytesRead.stream().mapToLong(LongSupplier::getAsLong).toArray();
  }

  /** Looks at the rate of the shard in which most is said; while nothing is read it stays. */
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

  /** In seconds; {@link Long#MAX_VALUE} before anything was read. */
  long seconds() {
    double rate = bytesPerSecond;
    return rate <= 0 ? Long.MAX_VALUE : (long) (logBytes.getAsLong() / rate);
  }
}
