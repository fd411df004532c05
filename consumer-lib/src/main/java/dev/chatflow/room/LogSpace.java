package dev.chatflow.room;

/**
 * The log space that the rooms of one consumer thread share, and what becomes of a member that
 * holds too much of it.
 *
 * <p>The consumer thread alone calls.
 */
interface LogSpace {

  /**
   * The share of segments is used up: gives back what is read, else shortens the rooms' pasts, else
   * closes who pins most by its socket, else waits for the writers.
   */
  void free();

  /** Closes a member for this cause, and counts it. */
  void closeSlow(Membership member, SlowCause cause);

  /** A member came back; whether the last frame it had was found. */
  void countResume(boolean found);

  /** So many frames of the past are shown to a member that joins. */
  void countPast(long frames);

  /** A full room log makes the consumer thread wait. */
  void countWait();
}
