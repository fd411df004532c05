package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;

/**
 * All that leaves by one connection: ranges of its room, and what concerns it alone.
 *
 * <p>Any thread calls, none is parked. Errors and pings wait in a mailbox and go before the next
 * range, never inside one; the close goes last.
 */
public sealed interface MemberSink extends FrameSink permits PortableSink, DirectSink {

  /** Mailbox entries from which on the connection is not read. */
  int MAILBOX_CAPACITY = 16;

  /**
   * Who is told what happened; called by any thread, without a lock of the sink. By itself it lets
   * everything pass.
   */
  interface Owner {

    /** A full mailbox is half empty again. */
    default void mailboxHasSpace() {}

    /** A close was handed to the container. */
    default void closeSent() {}

    /** A write made no progress for the container's timeout: the connection is closed as slow. */
    default void timedOut() {}

    /** A write failed, and nobody had closed the connection: its peer has gone. */
    default void peerLost() {}

    /** A range was written; it began at this {@link System#nanoTime}. */
    default void wrote(long startedNanos) {}
  }

  /**
   * Sends a text message to this connection alone.
   *
   * @param payload UTF-8
   * @return false when the mailbox is full now: do not read the connection until told
   */
  boolean tell(byte[] payload);

  boolean isMailboxFull();

  /** Sends a ping; not while something is being written or waits, and false then. */
  boolean ping();

  /** Closes the connection behind what waits in the mailbox; ranges are not begun any more. */
  void finish(CloseReason reason, String text);

  /** Closes the connection without what waits, also in the middle of a write that is stalled. */
  void cut(CloseReason reason);

  /** Ends the connection at once: nobody is there to be told. */
  void abort(CloseReason reason);

  /** The connection has ended: nothing more leaves. */
  void ended();
}
