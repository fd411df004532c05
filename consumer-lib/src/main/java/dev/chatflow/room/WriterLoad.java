package dev.chatflow.room;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which share of their time the writers spent in rounds, lately: over the last whole span of some
 * milliseconds. Any thread.
 */
final class WriterLoad {

  /** Long enough to hold several rounds, short enough to follow a burst. */
  static final long SPAN_NANOS = 20_000_000;

  private final int writers;
  private final LongAdder worked = new LongAdder();
  private final AtomicLong spanStart;
  private volatile double share;

  /** Starts at a time of the clock that is used throughout. */
  WriterLoad(int writers, long nowNanos) {
    this.writers = writers;
    this.spanStart = new AtomicLong(nowNanos);
  }

  /** One writer worked for so long, and is done now. */
  void worked(long nanos, long nowNanos) {
    worked.add(nanos);
    long start = spanStart.get();
    long span = nowNanos - start;
    if (span >= SPAN_NANOS && spanStart.compareAndSet(start, nowNanos)) {
      share = (double) worked.sumThenReset() / ((double) span * writers);
    }
  }

  /** 0 to about 1. */
  double share() {
    return share;
  }
}
