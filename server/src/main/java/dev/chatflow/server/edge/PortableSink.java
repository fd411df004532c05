package dev.chatflow.server.edge;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;
import dev.chatflow.room.LogRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes the frames of one connection with the container's public, blocking calls, on a virtual
 * thread of its own.
 *
 * <p>Any thread hands over, none is parked; the virtual thread lives while there is something to
 * write, so that one thread at a time uses the connection. What concerns this connection alone
 * (errors, pings, the close) waits in a mailbox and goes before the next range.
 */
final class PortableSink implements FrameSink {

  /** Mailbox entries from which on the connection is not read. */
  static final int MAILBOX_CAPACITY = 16;

  /** Who is told what happened; called by the sink's thread, without a lock. */
  interface Owner {

    /** A full mailbox is half empty again. */
    void mailboxHasRoom();

    /** A close was handed to the container. */
    void closeSent();

    /** A range was written; it began at this {@link System#nanoTime}. */
    void wrote(long startedNanos);
  }

  private sealed interface Mail {
    record Text(String payload) implements Mail {}

    record Ping() implements Mail {}

    record Close(CloseReason reason, String text) implements Mail {}
  }

  private final Wire wire;
  private final Owner owner;
  private volatile boolean closed;
  private volatile boolean wroteSinceAsked;

  // Guarded by this.
  private final Deque<Mail> mailbox = new ArrayDeque<>();
  private @Nullable LogRange range;
  private Runnable rangeDone = () -> {};
  private boolean running;
  private boolean mailboxWasFull;

  PortableSink(Wire wire, Owner owner) {
    this.wire = wire;
    this.owner = owner;
  }

  @Override
  public void write(LogRange frames, Runnable done) {
    synchronized (this) {
      if (!closed) {
        range = frames;
        rangeDone = done;
        start();
        return;
      }
    }
    done.run();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /**
   * Sends a text message to this connection alone.
   *
   * @return false when the mailbox is full now: do not read the connection until told
   */
  synchronized boolean tell(String payload) {
    if (!closed) {
      mailbox.add(new Mail.Text(payload));
      mailboxWasFull |= mailbox.size() >= MAILBOX_CAPACITY;
      start();
    }
    return !mailboxWasFull;
  }

  synchronized boolean isMailboxFull() {
    return mailboxWasFull;
  }

  /** Sends a ping; not while something is being written or waits, and false then. */
  synchronized boolean ping() {
    if (closed || running) {
      return false;
    }
    mailbox.add(new Mail.Ping());
    start();
    return true;
  }

  /** Whether a text was written since this was last asked. */
  boolean takeWrote() {
    boolean wrote = wroteSinceAsked;
    wroteSinceAsked = false;
    return wrote;
  }

  /** Closes the connection behind what waits in the mailbox; ranges are not written any more. */
  synchronized void finish(CloseReason reason, String text) {
    if (!closed) {
      closed = true;
      mailbox.add(new Mail.Close(reason, text));
      start();
    }
  }

  /** Closes the connection now, also in the middle of a write that makes no progress. */
  void cut(CloseReason reason) {
    synchronized (this) {
      closed = true;
      mailbox.clear();
    }
    Thread.startVirtualThread(() -> close(reason, reason.text()));
  }

  /** The connection has ended: nothing more leaves. */
  void ended() {
    synchronized (this) {
      closed = true;
      mailbox.clear();
      if (running) {
        return; // its own thread settles the range
      }
    }
    settleRange();
  }

  private synchronized void start() {
    if (!running) {
      running = true;
      Thread.startVirtualThread(this::run);
    }
  }

  private void run() {
    try {
      boolean more = true;
      while (more) {
        more = step();
      }
    } catch (IOException | UncheckedIOException | IllegalStateException _) {
      failed();
    }
  }

  /** Does one thing; false when nothing is left to do. */
  private boolean step() throws IOException {
    Mail mail;
    LogRange frames = null;
    synchronized (this) {
      mail = mailbox.poll();
      if (mail == null) {
        frames = range;
        if (frames == null) {
          running = false;
          return false;
        }
      }
    }
    if (mail != null) {
      send(mail);
      reopenMailbox();
    } else {
      writeRange(frames);
    }
    return true;
  }

  private void writeRange(@Nullable LogRange frames) throws IOException {
    if (frames != null && !closed) {
      long started = System.nanoTime();
      wire.gather();
      frames.forEachText(this::text);
      wire.flush();
      owner.wrote(started);
    }
    settleRange();
  }

  private void text(String payload) {
    wroteSinceAsked = true;
    try {
      wire.text(payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void settleRange() {
    Runnable done;
    synchronized (this) {
      if (range == null) {
        return;
      }
      range = null;
      done = rangeDone;
    }
    done.run();
  }

  private void send(Mail mail) throws IOException {
    switch (mail) {
      case Mail.Text(String payload) -> text(payload);
      case Mail.Ping() -> wire.ping();
      case Mail.Close(CloseReason reason, String text) -> close(reason, text);
    }
  }

  private void close(CloseReason reason, String text) {
    wire.close(reason.code(), text);
    owner.closeSent();
  }

  private void reopenMailbox() {
    synchronized (this) {
      if (!mailboxWasFull || mailbox.size() > MAILBOX_CAPACITY / 2) {
        return;
      }
      mailboxWasFull = false;
    }
    owner.mailboxHasRoom();
  }

  /** A write failed: the container closes the connection, or has; make sure that it does. */
  private void failed() {
    synchronized (this) {
      closed = true;
      mailbox.clear();
      running = false;
    }
    settleRange();
    close(CloseReason.SLOW_CONSUMER, CloseReason.SLOW_CONSUMER.text());
  }
}
