package dev.chatflow.room;

/** Why a member was closed as a slow consumer. */
public enum SlowCause {
  /**
   * More than half the room's log behind its foremost member when the log was full, by a write that
   * had been in the air for a while.
   */
  BEHIND_OTHERS,
  /** The slowest of a room whose log stayed full for a send deadline. */
  LOG_FULL,
  /** Of those whose write had been in the air for a while it pinned most of a share used up. */
  SHARE_USED_UP,
  /** One write made no progress for a send deadline. */
  SEND_DEADLINE
}
