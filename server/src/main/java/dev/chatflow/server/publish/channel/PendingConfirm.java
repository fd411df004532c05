package dev.chatflow.server.publish.channel;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one flight in the air waits for.
 *
 * <p>The connection's thread settles, the lane's thread waits. The first word counts, with one
 * exception: the embedded broker may send the return of a message nobody wants after its nack, so a
 * return still replaces a nack.
 */
final class PendingConfirm {

  /** How long a nack waits for the return that may belong to it. */
  private static final long RETURN_GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How closely the timeout follows the broker's blocking and unblocking. */
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String messageId;
  private final long deliveryTag;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled = lock.newCondition();

  // Guarded by lock
  private @Nullable Confirm outcome;

  PendingConfirm(String messageId, long deliveryTag) {
    this.messageId = messageId;
    this.deliveryTag = deliveryTag;
  }

  void acked(long tag, boolean multiple) {
    if (isMine(tag, multiple)) {
      settle(new Confirm.Acked());
    }
  }

  void nacked(long tag, boolean multiple) {
    if (isMine(tag, multiple)) {
      settle(new Confirm.Nacked());
    }
  }

  private boolean isMine(long tag, boolean multiple) {
    return multiple ? tag >= deliveryTag : tag == deliveryTag;
  }

  /** A message was returned; whether it is this one is told by its id. */
  void returned(@Nullable String id, String reason) {
    if (messageId.equals(id)) {
      settle(new Confirm.Returned(reason));
    }
  }

  /** The channel ended. */
  void ended(Confirm how) {
    settle(how);
  }

  private void settle(Confirm next) {
    lock.lock();
    try {
      boolean replaces = outcome instanceof Confirm.Nacked && next instanceof Confirm.Returned;
      if (outcome == null || replaces) {
        outcome = next;
        settled.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the outcome.
   *
   * @param timeout does not run while {@code blocked}
   */
  Confirm await(Duration timeout, BooleanSupplier blocked) throws InterruptedException {
    long left = timeout.toNanos();
    Confirm now = null;
    while (now == null && left > 0) {
      boolean running = !blocked.getAsBoolean();
      long begun = System.nanoTime();
      now = awaitStep(Math.min(left, STEP_NANOS));
      if (running && !blocked.getAsBoolean()) {
        left -= System.nanoTime() - begun;
      }
    }
    if (now == null) {
      return new Confirm.TimedOut();
    }
    return now instanceof Confirm.Nacked ? awaitReturn(now) : now;
  }

  private @Nullable Confirm awaitStep(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (outcome == null && left > 0) {
        left = settled.awaitNanos(left);
      }
      return outcome;
    } finally {
      lock.unlock();
    }
  }

  private Confirm awaitReturn(Confirm nacked) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = RETURN_GRACE_NANOS;
      while (!(outcome instanceof Confirm.Returned) && left > 0) {
        left = settled.awaitNanos(left);
      }
      return outcome == null ? nacked : outcome;
    } finally {
      lock.unlock();
    }
  }
}
