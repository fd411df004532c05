package dev.chatflow.room;

/** Runs rounds and provides their clock. Thread-safe; only close and park wait. */
interface Scheduler {

  void start();

  /** Runs {@code round} once after a delay; never after close. */
  void schedule(Runnable round, long delayNanos);

  /** Returns a clock for differences only. */
  long nanoTime();

  /** Parks the calling thread for at most this long: until it is unparked or interrupted. */
  void park(long nanos);

  void close();
}
