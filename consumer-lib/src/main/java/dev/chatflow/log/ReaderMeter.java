package dev.chatflow.log;

/** Counts the events of log readers. Called by their threads; no call parks its caller. */
public interface ReaderMeter {

  /** The reasons to skip an entry. */
  enum Passed {
    /** The log contains it already. */
    COPY,
    /** It landed too late. */
    LATE,
    /** This version does not know its kind. */
    UNKNOWN
  }

  /** Counts a skipped entry. */
  void passed(Passed why);

  /** Counts an undecodable line that went to the dead letters. */
  void poison();

  /** Adds to the number of unacknowledged entries; negative after an acknowledgement. */
  void unacked(int change);

  /**
   * Reports that the log held less than must be remembered: verdicts may differ between this and
   * other readers.
   */
  void incomplete();

  /** Reports that a reader attached, after this many ns and entries. */
  void attached(long tookNanos, long entries);
}
