package dev.chatflow.time;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Looks again and again until something holds, where nobody tells that it does: in starts, ends and
 * checks, never on the data path.
 *
 * <p>Immutable: any thread, which it parks.
 *
 * @param every time between two looks
 */
public record Poll(Duration every) {

  /**
   * Looks until {@code condition} holds.
   *
   * @return false when it does not within {@code patience}, or the thread is interrupted, which it
   *     stays
   */
  public boolean until(BooleanSupplier condition, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (end - System.nanoTime() <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, every.toNanos());
    }
    return true;
  }
}
