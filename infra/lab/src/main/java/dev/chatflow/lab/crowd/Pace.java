package dev.chatflow.lab.crowd;

/**
 * How speakers speak: at a fixed rate, or as fast as a window of unanswered messages allows.
 *
 * @param rate messages a second of all speakers together, in turn; 0: as fast as the window allows
 * @param window messages that a speaker sends before it has received its own copies
 * @param seconds how long they speak
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

  /** When the message with this number is due, after the first one. */
  long dueNanos(long message) {
    return (long) (message * 1e9 / rate);
  }
}
