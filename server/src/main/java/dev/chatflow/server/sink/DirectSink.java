package dev.chatflow.server.sink;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.Frame;
import dev.chatflow.room.LogRange;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Passes the log's bytes for one connection to the container's transport, without blocking.
 *
 * <p>A thread that adds work to an idle sink does all work until nothing can be started; a write
 * that waits for the peer continues in its completion. So one write is in flight at a time, without
 * a dedicated thread. A completion only finishes its range: the room's next range is started by a
 * writer.
 *
 * <p>While the container sends a frame of its own the sink retries a moment later, with at most one
 * retry pending.
 */
public final class DirectSink implements MemberSink {

  private static final long FIRST_RETRY_MILLIS = 1;
  private static final long LAST_RETRY_MILLIS = 64;

  /** The present action of the working thread, or the write in flight. */
  private enum Current {
    NOTHING,
    MAIL,
    RANGE
  }

  /**
   * How to end the connection.
   *
   * @param waits whether to wait for the peer's answer
   */
  private record Farewell(int code, String text, boolean waits) {}

  private final DirectWire wire;
  private final Owner owner;
  private final Timer timer;
  private final long deadlineNanos;
  private final CompletionHandler<Long, @Nullable Void> completion = new Completion();

  private volatile boolean closed;

  // Used only by the working thread.
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
   * Creates the sink of a new connection.
   *
   * @param timer for retries and for the end of a write that a close waits for
   * @param deadline how long a close waits for the write in flight, from that write's start
   */
  public DirectSink(DirectWire wire, Owner owner, Timer timer, Duration deadline) {
    this.wire = wire;
    this.owner = owner;
    this.timer = timer;
    this.deadlineNanos = deadline.toNanos();
  }

  // --- adding work

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

  // --- closing

  @Override
  public void finish(CloseReason reason, String text) {
    close(new Farewell(reason.code(), text, true), true);
  }

  @Override
  public void cut(CloseReason reason) {
    close(new Farewell(reason.code(), reason.text(), true), false);
  }

  /**
   * Starts to close: no new write begins, and the close follows the write in flight, or its
   * deadline.
   */
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

  // --- working: one thread at a time, or none while a write is in flight

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

  /** Starts one action; false if there is none, or the rest follows later. */
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

  /** Returns the next frames to write; null if there are none, and then no thread is working. */
  private ByteBuffer @Nullable [] choose() {
    Farewell last;
    synchronized (this) {
      if (left) {
        return null; // the close did not wait: the mail is too late
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

  /**
   * Schedules a retry, with growing intervals, because the permit is taken or the transport is not
   * ready.
   */
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

  /** Finishes the action whose bytes were written. */
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

  /**
   * Continues a write that had to wait. If the connection has ended, the write is finished already.
   */
  private final class Completion implements CompletionHandler<Long, @Nullable Void> {

    @Override
    public void completed(Long bytes, @Nullable Void none) {
      wire.end();
      settle();
      work();
    }

    /** Ends the connection after a failure of the transport, which the container may not report. */
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

  /** Stops all writing; returns the completion of an unfinished range. */
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

  // --- outside of the lock

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
