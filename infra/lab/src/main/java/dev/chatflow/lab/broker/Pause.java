package dev.chatflow.lab.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a duration while the load of a fault scenario continues. */
public final class Pause {

  private Pause() {}

  /** Waits for this time. */
  public static void of(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (end - System.nanoTime() > 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
