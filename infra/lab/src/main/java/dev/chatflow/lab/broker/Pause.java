package dev.chatflow.lab.broker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass, in which the load goes on: what a fault scenario waits for is a duration. */
public final class Pause {

  private Pause() {}

  /** Returns when so much time has passed. */
  public static void of(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (end - System.nanoTime() > 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
