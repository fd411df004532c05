package dev.chatflow.server.simulation.plan;

/** What kind of log a seed has. */
public enum Kind {
  /** Entries have offsets; nothing is lost. */
  STREAM,
  /** No offsets; the oldest entries are overwritten. */
  RING,
  /** A stream that loses its end now and then. */
  CUT_STREAM
}
