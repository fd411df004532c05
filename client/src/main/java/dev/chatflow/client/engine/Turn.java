package dev.chatflow.client.engine;

import dev.chatflow.client.verify.FrameScan;

/**
 * Where the users of a room hand in what they wrote and what came to them. Belongs to the load
 * thread of the room.
 */
interface Receipts {

  /** What a frame means to the user it came to. */
  enum Receipt {
    /** Nothing to do. */
    TAKEN,
    /** The own JOIN came back: the user is a member. */
    OWN_JOIN,
    /** The own LEAVE came back. */
    OWN_LEAVE,
    /** The own text came back for the first time. */
    OWN_TEXT
  }

  /** A text is written for the first time. */
  void wrote(long dueNanos);

  /** A JOIN is about to be written; its head bears this time. */
  void joining(User user, long dueMicros);

  /** A member writes its LEAVE. */
  void leaving(User user, long now);

  /**
   * The connection of a user is gone.
   *
   * @param resumes whether it may go on where it was
   */
  void lost(User user, boolean resumes);

  /** A user will not come back. */
  void gaveUp(User user);

  /** A user that came back was shown the last frame it has: all behind it follows. */
  void resumed(User user);

  /** A broadcast of this run from before the own JOIN came to who asked for history. */
  void recalled(User receiver, FrameScan scan);

  /** A broadcast with a head of this run came. */
  Receipt received(User receiver, FrameScan scan);

  /** A posted text was accepted. */
  void confirmed(User sender, int seq);

  /** A message was refused; false when that was known, or when it is no text. */
  boolean refused(User sender, int seq);
}
