package dev.chatflow.delivery;

import java.time.Duration;

/**
 * Counts the events between readers and rooms. Called by readers' threads; no call parks its
 * caller.
 */
public interface RoomMeter {

  /** The reasons not to show a line. */
  enum Unshown {
    /** A TEXT that was shown before. */
    RESEND,
    /** A line of a connection that a newer one of the same user has superseded. */
    STALE,
    /** A message of a muted user. */
    MUTED
  }

  /** Reports the time of one of this server's entries from hand-off to the logs of its rooms. */
  void append(Duration handOffToAppend);

  /** Counts lines that were read. */
  void consumed(int lines);

  /** Counts a line that was not shown. */
  void unshown(Unshown why);

  /** Counts a possible loss of entries in a shard. */
  void gap();
}
