package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;

/**
 * Sends everything for one connection: ranges of its room and private frames.
 *
 * <p>Thread-safe; no call parks its caller. Private frames and pings wait in a mailbox and are sent
 * before the next range, never inside one; the close is sent last.
 */
public sealed interface MemberSink extends FrameSink permits PortableSink, DirectSink {

  /** Number of mailbox entries at which the connection is no longer read. */
  int MAILBOX_CAPACITY = 16;

  /**
   * Receives events, on any thread and without a lock of the sink. The default methods do nothing.
   */
  interface Owner {

    /** Reports that a full mailbox is half empty again. */
    default void mailboxHasSpace() {}

    /** Reports that a close was passed to the container. */
    default void closeSent() {}

    /**
     * Reports that a write made no progress for the container's timeout: the connection is closed
     * as slow.
     */
    default void timedOut() {}

    /** Reports a failed write on a connection that was not being closed: its peer is lost. */
    default void peerLost() {}

    /** Reports that a range was written; it began at this {@link System#nanoTime}. */
    default void wrote(long startedNanos) {}
  }

  /**
   * Sends a text message to this connection only.
   *
   * @param payload UTF-8
   * @return false if the mailbox is full now: do not read the connection until notified
   */
  boolean tell(byte[] payload);

  boolean isMailboxFull();

  /** Sends a ping; returns false without sending while anything is being written or waits. */
  boolean ping();

  /** Closes the connection after the mailbox is empty; no further range begins. */
  void finish(CloseReason reason, String text);

  /** Closes the connection without waiting for the mailbox, even during a stalled write. */
  void cut(CloseReason reason);

  /** Ends the connection at once, because the peer is lost. */
  void abort(CloseReason reason);

  /** Reports that the connection has ended: nothing more is sent. */
  void ended();
}
