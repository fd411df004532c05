package dev.chatflow.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Polls a condition for which there is no notification: at start, at shutdown and in checks, never
 * on the data path.
 *
 * <p>Immutable; parks the calling thread.
 *
 * @param firstMillis ms until the second check
 * @param maxMillis bound of the interval, which doubles each time
 */
public record Poll(int firstMillis, int maxMillis) {

  /** Polls at regular intervals. */
  public static Poll everyMillis(int millis) {
    return new Poll(millis, millis);
  }

  /**
   * Polls until {@code condition} is true.
   *
   * @return false if it is not true within {@code patience}, or if the thread is interrupted, which
   *     it stays
   */
  public boolean until(BooleanSupplier condition, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    BackOff between = new BackOff(firstMillis, maxMillis);
    while (!condition.getAsBoolean()) {
      if (end - System.nanoTime() <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(between.nextMillis()));
    }
    return true;
  }
}
