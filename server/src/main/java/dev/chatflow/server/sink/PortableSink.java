package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.LogRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the frames of one connection with the container's public, blocking calls, on a virtual
 * thread of its own.
 *
 * <p>Any thread adds work without being parked. The virtual thread lives while there is something
 * to write, so that one thread at a time uses the connection.
 */
public final class PortableSink implements MemberSink {

  private sealed interface Mail {
    record Text(String payload) implements Mail {}

    record Ping() implements Mail {}

    record Close(CloseReason reason, String text) implements Mail {}
  }

  private final Wire wire;
  private final Owner owner;
  private volatile boolean closed;

  // Guarded by this.
  private final Mailbox<Mail> mailbox = new Mailbox<>();
  private @Nullable LogRange range;
  private Runnable rangeDone = () -> {};
  private boolean running;

  public PortableSink(Wire wire, Owner owner) {
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

  @Override
  public synchronized boolean tell(byte[] payload) {
    if (!closed) {
      mailbox.add(new Mail.Text(new String(payload, StandardCharsets.UTF_8)));
      start();
    }
    return !mailbox.isFull();
  }

  @Override
  public synchronized boolean isMailboxFull() {
    return mailbox.isFull();
  }

  @Override
  public synchronized boolean ping() {
    if (closed || running) {
      return false;
    }
    mailbox.add(new Mail.Ping());
    start();
    return true;
  }

  @Override
  public synchronized void finish(CloseReason reason, String text) {
    if (!closed) {
      closed = true;
      mailbox.add(new Mail.Close(reason, text));
      start();
    }
  }

  @Override
  public void cut(CloseReason reason) {
    synchronized (this) {
      closed = true;
      mailbox.clear();
    }
    Thread.startVirtualThread(() -> close(reason, reason.text()));
  }

  @Override
  public void abort(CloseReason reason) {
    synchronized (this) {
      closed = true;
      mailbox.clear();
    }
    Thread.startVirtualThread(() -> wire.abort(reason.code(), reason.text()));
  }

  @Override
  public void ended() {
    synchronized (this) {
      closed = true;
      mailbox.clear();
      if (running) {
        return; // its own thread finishes the range
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
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      failed(e);
    }
  }

  /** Executes one action; false if there is none. */
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
      if (!mailbox.takeReopened()) {
        return;
      }
    }
    owner.mailboxHasSpace();
  }

  /** Ensures that the connection is closed after a failed write. */
  private void failed(Exception failure) {
    FailedWrite what = FailedWrite.of(failure);
    boolean news;
    synchronized (this) {
      news = !closed;
      closed = true;
      mailbox.clear();
      running = false;
    }
    settleRange();
    if (news) {
      what.tell(owner);
    }
    CloseReason reason = what.reason();
    if (what == FailedWrite.SLOW) {
      close(reason, reason.text());
    } else {
      wire.abort(reason.code(), reason.text());
    }
  }
}
