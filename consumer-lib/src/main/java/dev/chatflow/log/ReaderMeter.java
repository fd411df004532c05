package dev.chatflow.log;

/** What the readers of logs count. Their threads call; no call parks its caller. */
public interface ReaderMeter {

  /** Why an entry was passed over. */
  enum Passed {
    /** It stands in the log before. */
    COPY,
    /** It landed too late. */
    LATE,
    /** Its kind is not known to this version. */
    UNKNOWN
  }

  /** An entry was passed over. */
  void passed(Passed why);

  /** A line that nobody can decode went to the dead letters. */
  void poison();

  /** Entries held without acknowledgement grew or, when negative, shrank. */
  void unacked(int change);

  /** The log held less than is to be remembered: what is read now may be decided otherwise. */
  void incomplete();

  /** A reader attached, after so many ns and entries. */
  void attached(long tookNanos, long entries);
}
