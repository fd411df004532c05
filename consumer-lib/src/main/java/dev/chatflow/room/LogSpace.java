package dev.chatflow.room;

/**
 * The log space that the rooms of one consumer thread share, and what becomes of a member that
 * holds too much of it.
 *
 * <p>The consumer thread alone calls.
 */
interface LogSpace {

  /**
   * The share of segments is used up: gives back what is read, else closes who pins most by its
   * socket, else waits for the writers.
   */
  void free();

  /** Closes a member for this cause, and counts it. */
  void closeSlow(Membership member, SlowCause cause);

  /** A full room log makes the consumer thread wait. */
  void countWait();
}
