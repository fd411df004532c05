package dev.chatflow.log;

/**
 * What becomes of a shard's log as it is read: a server's rooms, or a record.
 *
 * <p>The reader's thread calls, in the order of the log.
 */
public interface Taker extends CurrentEntry.LineTaker {

  /** Where a line comes from. */
  enum Source {
    /** Published before this process attached to the log. */
    PAST,
    /** Published by this process's lane. */
    OWN,
    /** Published by somebody else. */
    OTHER
  }

  /**
   * What was taken of the past counts no more: reading back begins, perhaps anew, or met an entry
   * that cannot be judged.
   */
  void pastRestarts();

  /** An own entry with lines came too late: its senders, and whoever has lines out, are told. */
  void ownLate();

  /** The reader knows what is going on and follows the log. */
  void attached();

  /** Entries may be missing: whoever follows the shard is told, and all of it is forgotten. */
  void lost(String why);

  /** Nobody here needs the shard: its past is forgotten. */
  void detached();

  /** Whether anybody here needs the shard: members, senders, LEAVEs that are owed. */
  boolean isNeeded();
}
