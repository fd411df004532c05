package dev.chatflow.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Detects that this process was paused, and rejects all input for 5 s afterwards, because messages
 * waiting in sockets and accept queues are older than the memory of any log reader.
 *
 * <p>The process was paused if a tick is more than 15 s late. Passive, without a clock or a thread:
 * one thread ticks, any thread queries. A query detects the pause as well, so it need not wait for
 * the tick; only the tick notifies the listener, because a querying thread may hold locks.
 *
 * <p><b>Guaranteed</b>: a thread that reads the clock after the pause and queries before it accepts
 * a message gets the rejection. <b>Not covered</b>: a thread that was paused between query and
 * acceptance accepts that one message; and a pause that also stops the clock is not detected, such
 * as the suspension of a Linux machine, which stops {@link System#nanoTime}.
 */
final class ProcessPause {

  /** Interval of ticks. */
  static final Duration TICK = Duration.ofSeconds(1);

  /** Far above any garbage collection, and below the time in which a busy log forgets. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Time to reject waiting messages, even if there are many. */
  private static final long REFUSING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Consumer<Duration> listener;
  private volatile long dueNanos;
  private volatile long openNanos;

  // Guarded by this.
  private long unreportedNanos;

  /**
   * Starts waiting for the first tick.
   *
   * @param nowNanos as of {@link System#nanoTime}, here and below
   * @param listener called for each pause, by the thread that ticks: how late the tick was
   */
  ProcessPause(long nowNanos, Consumer<Duration> listener) {
    this.listener = listener;
    this.dueNanos = nowNanos + TICK.toNanos();
    this.openNanos = nowNanos;
  }

  /** Ticks; notifies the listener if the process was paused. */
  void tick(long nowNanos) {
    long length = next(nowNanos);
    if (length > 0) {
      listener.accept(Duration.ofNanos(length));
    }
  }

  private synchronized long next(long nowNanos) {
    notice(nowNanos);
    dueNanos = nowNanos + TICK.toNanos();
    long length = unreportedNanos;
    unreportedNanos = 0;
    return length;
  }

  /** Returns whether a pause ended less than 5 s ago. */
  boolean isJustOver(long nowNanos) {
    if (isLate(nowNanos)) {
      notice(nowNanos);
    }
    return nowNanos - openNanos < 0;
  }

  private boolean isLate(long nowNanos) {
    return nowNanos - dueNanos > LATE_NANOS;
  }

  /**
   * Notes a pause. The order matters: a thread that sees the new due time without the lock also
   * sees the rejection.
   */
  private synchronized void notice(long nowNanos) {
    if (isLate(nowNanos)) {
      unreportedNanos += nowNanos - dueNanos;
      openNanos = nowNanos + REFUSING_NANOS;
      dueNanos = nowNanos + TICK.toNanos();
    }
  }
}
