package dev.chatflow.room;

/**
 * The log space shared by the rooms of one reader thread, and the measures against members that pin
 * too much of it.
 *
 * <p>Used only by the reader thread.
 */
interface LogSpace {

  /**
   * Frees segments when the share is used up: releases what was read, else shortens the pasts of
   * the rooms, else closes the member whose socket pins most, else waits for the writers.
   */
  void free();

  /** Closes a member for this cause and counts it. */
  void closeSlow(Membership member, SlowCause cause);

  /** Counts a member that resumed, by whether the last frame it had was found. */
  void countResume(boolean found);

  /** Counts past frames that are shown to a joining member. */
  void countPast(long frames);

  /** Counts a wait of the reader thread for a full room log. */
  void countWait();
}
