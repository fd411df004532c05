package dev.chatflow.lab.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits while the load continues: fault scenarios wait for a duration. */
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
