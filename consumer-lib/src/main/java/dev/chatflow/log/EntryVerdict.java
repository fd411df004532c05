package dev.chatflow.log;

/** The verdict on an entry of a shard's log, which is the same for all readers. */
public enum EntryVerdict {
  /** It landed within a window of what its server had read: its lines are valid. */
  ON_TIME,
  /** It landed too late: its lines are neither shown nor remembered. */
  LATE,
  /** The log contains it already; it is skipped. */
  COPY,
  /** Only while reading back: the deciding entries are before the first entry that was read. */
  UNDECIDED,
  /** An entry before it is missing, so the remembered state is invalid. */
  LOSS
}
