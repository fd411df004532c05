package dev.chatflow.client.engine.user;

import dev.chatflow.client.wire.FrameScan;

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

  /** The connection of a user is gone. */
  void lost(User user);

  /** A broadcast with a head of this run came. */
  Receipt received(User receiver, FrameScan scan);

  /** A posted text was accepted. */
  void confirmed(User sender, int seq);

  /** A message was refused; false when that was known, or when it is no text. */
  boolean refused(User sender, int seq);
}
