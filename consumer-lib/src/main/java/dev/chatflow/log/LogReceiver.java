package dev.chatflow.log;

/**
 * Receives a shard's log as it is read.
 *
 * <p>The reader's thread calls, in the order of the log.
 */
public interface LogReceiver extends CurrentEntry.LineReceiver {

  /** The origin of a line. */
  enum Source {
    /** Published before this process attached to the log. */
    PAST,
    /** Published by this process's lane. */
    OWN,
    /** Published by another process. */
    OTHER
  }

  /**
   * Discards what was taken of the past: reading back begins, perhaps again, or met an entry that
   * cannot be judged.
   */
  void pastRestarts();

  /**
   * Reports that an entry of this process with lines was late: its senders, and all with lines in
   * flight, are notified.
   */
  void ownLate();

  /** Reports that the reader is up to date and follows the log. */
  void attached();

  /**
   * Reports that entries may be missing: members of the shard are notified and its state is
   * discarded.
   */
  void lost(String why);

  /** Reports that the shard is no longer needed here: its past is discarded. */
  void detached();

  /** Returns whether this process still needs the shard for members, senders or pending LEAVEs. */
  boolean isNeeded();
}
