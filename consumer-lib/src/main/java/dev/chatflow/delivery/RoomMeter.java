package dev.chatflow.delivery;

import java.time.Duration;

/** What the rooms' side of the readers counts. Their threads call; no call parks its caller. */
public interface RoomMeter {

  /** Why a line was not shown. */
  enum Unshown {
    /** A TEXT that was shown before. */
    RESEND,
    /** A line of a connection that a newer one of the same user has beaten. */
    STALE
  }

  /** An own entry went from the hand-off into its rooms' logs in this time. */
  void append(Duration handOffToAppend);

  /** Lines were read. */
  void consumed(int lines);

  /** A line was not shown. */
  void unshown(Unshown why);

  /** Entries of a shard may be missing. */
  void gap();
}
