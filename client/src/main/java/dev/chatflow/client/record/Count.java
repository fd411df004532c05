package dev.chatflow.client.record;

/** What a load thread counts. What each of them means says the registry of figures. */
public enum Count {
  TEXTS_WRITTEN,
  JOINS_WRITTEN,
  LEAVES_WRITTEN,
  TEXTS_ECHOED,
  JOINS_ECHOED,
  LEAVES_ECHOED,
  /** Texts that could not be written. */
  TEXTS_UNSENT,
  /** Texts that an interrupted run did not come to. */
  TEXTS_UNTRIED,
  REJECTED,
  RETRIES,
  CONNECTIONS_OPENED,
  CONNECTIONS_FAILED,
  RECONNECTIONS,
  CONNECTIONS_LOST,
  /** Those of the lost connections whose user was on the way back from another loss. */
  LOST_AGAIN,
  SLOW_LOST,
  DROPPED,
  /** Connections left for one with a new token. */
  RENEWED,
  /** Lost connections that the server ended because their token had expired. */
  EXPIRED,
  /**
   * Lost connections that the server ended because their token was missing, wrong or not enough.
   */
  UNAUTHORIZED,
  RESENT,
  /** Memberships that went on behind the last frame of the one before. */
  RESUMED,
  /** Those that did not: the frame named was not shown. */
  NOT_FOUND,
  /** Those that did not: the server had told that something is missing. */
  AFTER_LOSS,
  /** Those that did not: there was no frame to name. */
  NO_FRAME,
  /** Memberships regained on another server than the one lost. */
  MOVED,
  /** Frames said while a member was away, and shown to it when it resumed. */
  CAUGHT_UP,
  /** Frames from before a JOIN that were asked for by their number. */
  HISTORY_FRAMES,
  /** Texts of which a member that did not resume cannot know what became of them. */
  UNKNOWN,
  TEXT_DELIVERIES,
  /** Those of {@link #TEXT_DELIVERIES} that came before the main phase. */
  WARMUP_DELIVERIES,
  /** Those of {@link #TEXT_DELIVERIES} that another part of the run wrote, while recorded. */
  OTHER_PARTS,
  JOIN_DELIVERIES,
  LEAVE_DELIVERIES,
  /** Copies of JOINs and LEAVEs that a large room shows to their own connection alone. */
  QUIET_COPIES,
  SYNTHETIC_LEAVES,
  FOREIGN_FRAMES,
  UNREADABLE_FRAMES,
  /** Intervals of main phase and drain. */
  INTERVALS,
  /** Those in which this thread was late because the client had more to do than it could. */
  SATURATED_INTERVALS,
  /** Those in which it was late because others had the CPU. */
  STARVED_INTERVALS,
  /** Time of main phase and drain. */
  MAIN_NANOS,
  /** The part of it not spent waiting for I/O. */
  BUSY_NANOS,
  /** CPU time of the loop in it. */
  LOOP_CPU_NANOS,
  /** Time in which the loop waited for a CPU. */
  LOOP_QUEUED_NANOS
}
