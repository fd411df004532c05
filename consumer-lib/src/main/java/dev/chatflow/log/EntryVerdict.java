package dev.chatflow.log;

/** What an entry of a shard's log is worth, alike for everybody who reads the log. */
public enum EntryVerdict {
  /** It landed within a window of what its server had read: its lines count. */
  ON_TIME,
  /** It landed too late: nobody shows or remembers its lines. */
  LATE,
  /** It stands in the log before: nothing else is said of it. */
  COPY,
  /** Only while reading back: what decides lies before the first entry that was read. */
  UNDECIDED,
  /** An entry before it is missing: nothing that is remembered can be trusted any more. */
  LOSS
}
