package dev.chatflow.room;

/** The reasons to close a member as a slow consumer. */
public enum SlowCause {
  /**
   * The log was full, and the member was more than half of it behind the foremost one, with a write
   * in flight for a while.
   */
  BEHIND_OTHERS,
  /** It was the slowest member of a room whose log stayed full for a send deadline. */
  LOG_FULL,
  /**
   * The share was used up, and it pinned most among the members with a write in flight for a while.
   */
  SHARE_USED_UP,
  /** One write made no progress for a send deadline. */
  SEND_DEADLINE
}
