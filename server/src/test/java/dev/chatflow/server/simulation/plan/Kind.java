package dev.chatflow.server.simulation.plan;

/** The kind of log in a seed. */
public enum Kind {
  /** Entries have offsets; nothing is lost. */
  STREAM,
  /** No offsets; the oldest entries are overwritten. */
  RING,
  /** A stream that loses its end from time to time. */
  CUT_STREAM
}
