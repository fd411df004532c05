package dev.chatflow.lab.crowd;

/**
 * The pace of speakers: a fixed rate, or as fast as a window of unanswered messages allows.
 *
 * @param rate messages per second of all speakers together; 0 for as fast as the window allows
 * @param window maximum unacknowledged messages of a speaker
 * @param seconds length
 */
record Pace(double rate, int window, double seconds) {

  Pace {
    if (rate < 0 || window < 0 || seconds <= 0 || rate > 0 == window > 0) {
      throw new IllegalArgumentException("A pace has a rate or a window, and a number of seconds.");
    }
  }

  long messages() {
    return Math.round(rate * seconds);
  }

  /** Returns the due time of a message relative to the first one. */
  long dueNanos(long message) {
    return (long) (message * 1e9 / rate);
  }
}
