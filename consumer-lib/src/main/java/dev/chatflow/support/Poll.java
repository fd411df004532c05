package dev.chatflow.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Looks again and again until something holds, where nobody tells that it does: in starts, ends and
 * checks, never on the data path.
 *
 * <p>Immutable: any thread, which it parks.
 *
 * @param firstMillis time to the second look
 * @param maxMillis the time between two looks doubles up to this
 */
public record Poll(int firstMillis, int maxMillis) {

  /** Looks at even distances. */
  public static Poll everyMillis(int millis) {
    return new Poll(millis, millis);
  }

  /**
   * Looks until {@code condition} holds.
   *
   * @return false when it does not within {@code patience}, or the thread is interrupted, which it
   *     stays
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
