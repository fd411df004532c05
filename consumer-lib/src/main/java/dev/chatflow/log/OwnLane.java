package dev.chatflow.log;

import dev.chatflow.message.ChatMessage;

/**
 * The lane by which this process writes to a shard, as the reader of the shard's log sees it.
 *
 * <p>The reader's thread calls; no call parks it.
 */
public interface OwnLane extends PresenceOutlet {

  /**
   * Publishes a beacon as soon as nothing is in flight.
   *
   * @return a number: once it or a higher one is confirmed, the log extends beyond this call
   */
  long beacon();

  /** Returns the highest number that the broker has confirmed. */
  long confirmed();

  /** Publishes a message without reporting its fate, unless the lane accepts no lines now. */
  void publish(ChatMessage message, long nowNanos);

  /** Accepts lines from now on: the reader is attached. */
  void attached();

  /** Stops accepting lines: the reader is not up to date. */
  void detached();

  /**
   * Reports that one of its entries was read back, with any verdict.
   *
   * @param number not read before
   * @param arrivedNanos when the broker delivered it
   */
  void read(long number, long arrivedNanos);

  /**
   * Reports that one of its entries with lines was late: no line is accepted until all sent entries
   * are back.
   */
  void late(long number);

  /** Reports a loss: waiting lines are dropped, and entries in flight no longer count. */
  void lost();

  /**
   * Sets the number of active lanes, including this one, which determines the distance between
   * flights.
   */
  void activeLanes(int lanes);

  /**
   * Returns for how long the oldest confirmed entry has not been read, in ns; 0 if there is none.
   */
  long unreadNanos(long nowNanos);

  /** Returns whether the broker returned an entry as unroutable; true once for each. */
  boolean takeUnwanted();

  /** Returns whether nothing is waiting, in flight or not yet read back. */
  boolean isIdle();
}
