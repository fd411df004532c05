package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.Frame;
import dev.chatflow.room.LogRange;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hands the log's bytes of one connection to the container's transport, never blocking.
 *
 * <p>Whoever brings something to an idle sink works for it until nothing is left to start; a write
 * that waits for the peer is continued by its completion. So one write is in the air at a time,
 * without a thread of its own. A completion only settles its range: the room's next range is
 * started by a writer.
 *
 * <p>While the container sends a frame of its own the sink comes back a moment later, one retry
 * pending at most.
 */
public final class DirectSink implements MemberSink {

  private static final long FIRST_RETRY_MILLIS = 1;
  private static final long LAST_RETRY_MILLIS = 64;

  /** What the working thread does, or what is in the air. */
  private enum Current {
    NOTHING,
    MAIL,
    RANGE
  }

  /**
   * How the connection ends.
   *
   * @param waits whether the peer's answer is waited for
   */
  private record Farewell(int code, String text, boolean waits) {}

  private final DirectWire wire;
  private final Owner owner;
  private final Timer timer;
  private final long deadlineNanos;
  private final CompletionHandler<Long, @Nullable Void> completion = new Completion();

  private volatile boolean closed;

  // The working thread's.
  private long retryMillis = FIRST_RETRY_MILLIS;

  // Guarded by this.
  private final Mailbox<ByteBuffer> mailbox = new Mailbox<>();
  private @Nullable ByteBuffer mail;
  private @Nullable LogRange range;
  private Runnable rangeDone = () -> {};
  private boolean working;
  private Current current = Current.NOTHING;
  private long startedNanos;
  private @Nullable Farewell farewell;
  private boolean left;

  /**
   * Makes the sink of a new connection.
   *
   * @param timer for retries and for the end of a write that a close waits for
   * @param deadline how long a close waits for the write in the air, from that write's start
   */
  public DirectSink(DirectWire wire, Owner owner, Timer timer, Duration deadline) {
    this.wire = wire;
    this.owner = owner;
    this.timer = timer;
    this.deadlineNanos = deadline.toNanos();
  }

  // --- what is brought

  @Override
  public void write(LogRange frames, Runnable done) {
    boolean mine;
    synchronized (this) {
      mine = !closed;
      if (mine) {
        range = frames;
        rangeDone = done;
        if (working) {
          return;
        }
        working = true;
      }
    }
    if (mine) {
      work();
    } else {
      done.run();
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean tell(byte[] payload) {
    boolean mine = false;
    boolean space;
    synchronized (this) {
      if (!closed) {
        mailbox.add(Frame.text(payload));
        mine = takeWork();
      }
      space = !mailbox.isFull();
    }
    if (mine) {
      work();
    }
    return space;
  }

  @Override
  public synchronized boolean isMailboxFull() {
    return mailbox.isFull();
  }

  @Override
  public boolean ping() {
    synchronized (this) {
      if (closed || working) {
        return false;
      }
      mailbox.add(Frame.ping());
      working = true;
    }
    work();
    return true;
  }

  // --- the end

  @Override
  public void finish(CloseReason reason, String text) {
    close(new Farewell(reason.code(), text, true), true);
  }

  @Override
  public void cut(CloseReason reason) {
    close(new Farewell(reason.code(), reason.text(), true), false);
  }

  /** Nothing new begins; the close follows what is in the air, or its deadline. */
  private void close(Farewell last, boolean withMail) {
    Runnable done;
    boolean mine;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      farewell = last;
      if (!withMail) {
        dropMail();
      }
      done = current == Current.RANGE ? null : takeRange();
      mine = takeWork();
    }
    run(done);
    if (mine) {
      work();
    } else {
      timer.after(Duration.ofNanos(patienceNanos()), this::giveUpWaiting);
    }
  }

  private synchronized long patienceNanos() {
    long spent = current == Current.NOTHING ? 0 : timer.nanoTime() - startedNanos;
    return Math.max(0, deadlineNanos - spent);
  }

  private void giveUpWaiting() {
    Farewell last;
    synchronized (this) {
      last = takeFarewell();
    }
    leave(last);
  }

  @Override
  public void abort(CloseReason reason) {
    Farewell last;
    synchronized (this) {
      farewell = new Farewell(reason.code(), reason.text(), false);
      last = takeFarewell();
    }
    run(stop());
    leave(last);
  }

  @Override
  public void ended() {
    run(stop());
  }

  // --- work: one thread at a time, or none while a write is in the air

  private boolean takeWork() {
    boolean mine = !working;
    working = true;
    return mine;
  }

  private void work() {
    boolean more = true;
    while (more) {
      more = step();
    }
  }

  /** Starts one thing; false when nothing is left, or the rest follows later. */
  private boolean step() {
    ByteBuffer[] frames = choose();
    if (frames == null) {
      return false;
    }
    if (!wire.tryBegin()) {
      return later();
    }
    if (wire.isCloseSent()) {
      wire.end();
      run(stop());
      return false;
    }
    return switch (start(frames)) {
      case WRITTEN -> {
        wire.end();
        settle();
        yield true;
      }
      case IN_THE_AIR -> false;
      case NOT_STARTED -> {
        wire.end();
        yield later();
      }
    };
  }

  private DirectWire.Started start(ByteBuffer[] frames) {
    try {
      return wire.write(frames, completion);
    } catch (RuntimeException e) {
      completion.failed(e, null);
      return DirectWire.Started.IN_THE_AIR;
    }
  }

  /** What to write next; null when there is nothing, and then nobody works any more. */
  private ByteBuffer @Nullable [] choose() {
    Farewell last;
    synchronized (this) {
      if (left) {
        return null; // the close did not wait: the mail is late
      }
      if (mail == null) {
        mail = mailbox.poll();
      }
      startedNanos = timer.nanoTime();
      if (mail != null) {
        current = Current.MAIL;
        return new ByteBuffer[] {mail};
      }
      if (range != null && !closed) {
        current = Current.RANGE;
        return range.buffers();
      }
      last = takeFarewell();
      working = false;
    }
    leave(last);
    return null;
  }

  /** The permit is taken, or the transport not ready: comes back, ever less often. */
  private boolean later() {
    Runnable done;
    synchronized (this) {
      current = Current.NOTHING;
      done = closed ? takeRange() : null;
    }
    run(done);
    timer.after(Duration.ofMillis(retryMillis), this::work);
    retryMillis = Math.min(2 * retryMillis, LAST_RETRY_MILLIS);
    return false;
  }

  /** What was started has been written. */
  private void settle() {
    Runnable done = null;
    boolean reopened;
    long started;
    synchronized (this) {
      if (current == Current.RANGE) {
        done = takeRange();
      } else {
        mail = null;
      }
      current = Current.NOTHING;
      reopened = mailbox.takeReopened();
      started = startedNanos;
    }
    retryMillis = FIRST_RETRY_MILLIS;
    if (reopened) {
      owner.mailboxHasSpace();
    }
    if (done != null) {
      owner.wrote(started);
      done.run();
    }
  }

  /** Continues a write that had to wait; a connection that has ended meanwhile has settled it. */
  private final class Completion implements CompletionHandler<Long, @Nullable Void> {

    @Override
    public void completed(Long bytes, @Nullable Void none) {
      wire.end();
      settle();
      work();
    }

    /** The transport is broken, and the container may not say so: end the connection. */
    @Override
    public void failed(Throwable failure, @Nullable Void none) {
      wire.end();
      FailedWrite what = FailedWrite.of(failure);
      boolean news;
      Farewell last;
      synchronized (DirectSink.this) {
        news = farewell == null && !left;
        if (news) {
          farewell =
              new Farewell(what.reason().code(), what.reason().text(), what == FailedWrite.SLOW);
        }
        last = takeFarewell();
      }
      run(stop());
      if (news) {
        what.tell(owner);
      }
      leave(last);
    }
  }

  // --- under the lock

  /** Nothing more leaves; the completion of a range that was not settled. */
  private synchronized @Nullable Runnable stop() {
    closed = true;
    left = true;
    dropMail();
    mail = null;
    current = Current.NOTHING;
    working = true; // for good
    return takeRange();
  }

  private void dropMail() {
    mailbox.clear();
    if (current != Current.MAIL) {
      mail = null;
    }
  }

  private @Nullable Runnable takeRange() {
    if (range == null) {
      return null;
    }
    range = null;
    return rangeDone;
  }

  private @Nullable Farewell takeFarewell() {
    if (left || farewell == null) {
      return null;
    }
    left = true;
    return farewell;
  }

  // --- outside of it

  private static void run(@Nullable Runnable done) {
    if (done != null) {
      done.run();
    }
  }

  private void leave(@Nullable Farewell last) {
    if (last != null) {
      timer.parking(() -> {
        if (last.waits()) {
          wire.close(last.code(), last.text());
        } else {
          wire.abort(last.code(), last.text());
        }
        owner.closeSent();
      });
    }
  }
}
