package dev.chatflow.room;

/**
 * Where rounds run, and the clock they are due by. Any thread may call; no call waits but close and
 * park.
 */
interface Scheduler {

  void start();

  /** Runs {@code round} once, after a delay; never when closed. */
  void schedule(Runnable round, long delayNanos);

  /** A clock for differences only. */
  long nanoTime();

  /** The calling thread waits this long, or less: until it is unparked or interrupted. */
  void park(long nanos);

  void close();
}
