package dev.chatflow.room;

/** Why a member was closed as a slow consumer. */
public enum SlowCause {
  /**
   * More than half the room's log behind its foremost member, by a write in the air, when the log
   * was full.
   */
  BEHIND_OTHERS,
  /** The slowest of a room that did not move for a send deadline while its log was full. */
  LOG_FULL,
  /** It pinned most when the consumer thread's share of segments was used up. */
  SHARE_USED_UP,
  /** One write made no progress for a send deadline. */
  SEND_DEADLINE
}
