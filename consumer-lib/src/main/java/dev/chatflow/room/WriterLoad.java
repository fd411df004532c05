package dev.chatflow.room;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures the share of time that writers spent in rounds over the last complete span of some
 * milliseconds. Thread-safe.
 */
final class WriterLoad {

  /** Long enough for several rounds, short enough to follow a burst. */
  static final long SPAN_NANOS = 20_000_000;

  private final int writers;
  private final LongAdder worked = new LongAdder();
  private final AtomicLong spanStart;
  private volatile double share;

  /** Starts at this time of the caller's clock. */
  WriterLoad(int writers, long nowNanos) {
    this.writers = writers;
    this.spanStart = new AtomicLong(nowNanos);
  }

  /** Reports that a writer has just finished this much work. */
  void worked(long nanos, long nowNanos) {
    worked.add(nanos);
    long start = spanStart.get();
    long span = nowNanos - start;
    if (span >= SPAN_NANOS && spanStart.compareAndSet(start, nowNanos)) {
      share = (double) worked.sumThenReset() / ((double) span * writers);
    }
  }

  /** Returns the share, 0 to about 1. */
  double share() {
    return share;
  }
}
