package dev.chatflow.client.record;

/** The counters of a load thread. The registry of figures describes them. */
public enum Count {
  TEXTS_WRITTEN,
  JOINS_WRITTEN,
  LEAVES_WRITTEN,
  TEXTS_ECHOED,
  JOINS_ECHOED,
  LEAVES_ECHOED,
  /** Texts that could not be written. */
  TEXTS_UNSENT,
  /** Texts that an interrupted run did not reach. */
  TEXTS_UNTRIED,
  REJECTED,
  RETRIES,
  CONNECTIONS_OPENED,
  CONNECTIONS_FAILED,
  RECONNECTIONS,
  CONNECTIONS_LOST,
  /** Connections lost by users that were returning from another loss. */
  LOST_AGAIN,
  SLOW_LOST,
  DROPPED,
  /** Connections replaced by one with a new token. */
  RENEWED,
  /** Connections closed by the server because their token had expired. */
  EXPIRED,
  /** Connections closed by the server because their token was missing, invalid or insufficient. */
  UNAUTHORIZED,
  RESENT,
  /** Memberships that resumed after the last frame of the previous one. */
  RESUMED,
  /** Failed resumes: the named frame was missing. */
  NOT_FOUND,
  /** Failed resumes: the server had reported a loss. */
  AFTER_LOSS,
  /** Failed resumes: there was no frame to name. */
  NO_FRAME,
  /** Memberships regained on another server. */
  MOVED,
  /** Frames that a member missed and received when it resumed. */
  CAUGHT_UP,
  /** Past frames requested by number. */
  HISTORY_FRAMES,
  /** Texts of unknown outcome, of members that did not resume. */
  UNKNOWN,
  TEXT_DELIVERIES,
  /** {@link #TEXT_DELIVERIES} before the main phase. */
  WARMUP_DELIVERIES,
  /** Recorded {@link #TEXT_DELIVERIES} that another part of the run wrote. */
  OTHER_PARTS,
  JOIN_DELIVERIES,
  LEAVE_DELIVERIES,
  /** Copies of JOINs and LEAVEs that a large room sends only to their own connection. */
  QUIET_COPIES,
  SIGNALS_WRITTEN,
  SIGNAL_DELIVERIES,
  /** Copies of signals if each member that was present when they were written gets them. */
  SIGNAL_COPIES_EXPECTED,
  SYNTHETIC_LEAVES,
  FOREIGN_FRAMES,
  UNREADABLE_FRAMES,
  /** Intervals of the main phase and the drain. */
  INTERVALS,
  /** Intervals in which this thread was late because the client was overloaded. */
  SATURATED_INTERVALS,
  /** Intervals in which this thread was late because the machine was busy. */
  STARVED_INTERVALS,
  /** Time of the main phase and the drain. */
  MAIN_NANOS,
  /** Time of these not spent waiting for I/O. */
  BUSY_NANOS,
  /** CPU time of the loop in these. */
  LOOP_CPU_NANOS,
  /** Time in which the loop waited for a CPU. */
  LOOP_QUEUED_NANOS
}
