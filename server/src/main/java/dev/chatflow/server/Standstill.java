package dev.chatflow.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices that this process stood still, and says for 5 s that nothing is to be taken: what waits
 * in sockets and accept queues by then is older than anybody's memory.
 *
 * <p>It stood still when a tick is more than 15 s late. Passive, without a clock or a thread: one
 * thread ticks, any asks. Who asks notices as well, so that nobody has to be slower than the tick;
 * only the tick tells of it, since who asks may hold locks.
 *
 * <p><b>Certain</b>: whoever looks at the clock after the standstill and asks before he takes
 * something is told not to. <b>Not</b>: a thread that was stopped between its asking and its taking
 * goes on and takes that one message; and what stops the clock too is not noticed, as the
 * suspension of a Linux machine stops {@link System#nanoTime}.
 */
final class Standstill {

  /** From one tick to the next. */
  static final Duration TICK = Duration.ofSeconds(1);

  /** Far above any collection, and below what it takes a busy log to forget. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** For what waited to be refused, also by a machine that has much of it. */
  private static final long REFUSING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Consumer<Duration> listener;
  private volatile long dueNanos;
  private volatile long openNanos;

  // Guarded by this.
  private long unreportedNanos;

  /**
   * Begins to wait for the first tick.
   *
   * @param nowNanos as of {@link System#nanoTime}, here and below
   * @param listener of each standstill, by the thread that ticks: how late the tick was
   */
  Standstill(long nowNanos, Consumer<Duration> listener) {
    this.listener = listener;
    this.dueNanos = nowNanos + TICK.toNanos();
    this.openNanos = nowNanos;
  }

  /** The server goes on; tells when it did not. */
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

  /** Whether the server came back from a standstill less than 5 s ago. */
  boolean isJustOver(long nowNanos) {
    if (isLate(nowNanos)) {
      notice(nowNanos);
    }
    return nowNanos - openNanos < 0;
  }

  private boolean isLate(long nowNanos) {
    return nowNanos - dueNanos > LATE_NANOS;
  }

  /** In this order: who sees the new due time, without the lock, sees the refusing as well. */
  private synchronized void notice(long nowNanos) {
    if (isLate(nowNanos)) {
      unreportedNanos += nowNanos - dueNanos;
      openNanos = nowNanos + REFUSING_NANOS;
      dueNanos = nowNanos + TICK.toNanos();
    }
  }
}
