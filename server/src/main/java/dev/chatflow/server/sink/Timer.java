package dev.chatflow.server.sink;

import java.time.Duration;

/** The clocks and scheduler of connections. Thread-safe. */
public interface Timer {

  /** Returns a clock for differences only, as {@link System#nanoTime}. */
  long nanoTime();

  /** Returns the wall clock, in ms since the epoch. */
  long millis();

  /** Runs a task after a delay, on a thread that must not be parked. */
  void after(Duration delay, Runnable task);

  /** Runs a task soon, on a thread of its own, which it may park. */
  void parking(Runnable task);
}
