package dev.chatflow.server.sink;

import java.time.Duration;

/** Time as connections see it: clocks, and threads for what is to be done. Any thread calls. */
public interface Timer {

  /** A clock for differences only, as {@link System#nanoTime}. */
  long nanoTime();

  /** The wall clock, in ms since the epoch. */
  long millis();

  /** Runs a task after a while, on a thread that must not be parked. */
  void after(Duration delay, Runnable task);

  /** Runs a task soon, on a thread of its own, which it may park. */
  void parking(Runnable task);
}
