package dev.chatflow.server.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a lane: accepted messages in the order they were offered.
 *
 * <p>Any thread offers; the lane's thread alone peeks, polls, awaits and calls back. Bounded in
 * bytes by its senders' manners: an offer is always accepted, because its message was read and
 * answered for already, but above the bound it says so, and who offered offers no more before it
 * was called back. What exceeds the bound is at most what each sender had under way.
 */
final class LaneQueue {

  private final long capacityBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  // Guarded by lock
  private final ArrayDeque<Outgoing> messages = new ArrayDeque<>();
  private final Set<Drained> waiting = new LinkedHashSet<>();
  private long bytes;
  private boolean woken;

  LaneQueue(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /**
   * Takes a message.
   *
   * @return false when the queue is above its bound now: {@code sender} will be called once when it
   *     has fallen below half
   */
  boolean offer(Outgoing message, Drained sender) {
    lock.lock();
    try {
      messages.add(message);
      bytes += message.weightBytes();
      news.signal();
      if (bytes <= capacityBytes) {
        return true;
      }
      waiting.add(sender);
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** The oldest message, which stays, or null. */
  @Nullable Outgoing peek() {
    lock.lock();
    try {
      return messages.peek();
    } finally {
      lock.unlock();
    }
  }

  /** The oldest message, or null. */
  @Nullable Outgoing poll() {
    lock.lock();
    try {
      Outgoing message = messages.poll();
      if (message != null) {
        bytes -= message.weightBytes();
      }
      return message;
    } finally {
      lock.unlock();
    }
  }

  /** Calls back who waits, once each, if the queue is below half. */
  void callDrained() {
    List<Drained> drained;
    lock.lock();
    try {
      drained = takeDrainedLocked();
    } finally {
      lock.unlock();
    }
    drained.forEach(Drained::laneDrained);
  }

  private List<Drained> takeDrainedLocked() {
    if (waiting.isEmpty() || 2 * bytes >= capacityBytes) {
      return List.of();
    }
    List<Drained> drained = new ArrayList<>(waiting);
    waiting.clear();
    return drained;
  }

  /** Returns when there is a message, after {@link #wake}, or when the time is over. */
  void await(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (messages.isEmpty() && !woken && left > 0) {
        left = news.awaitNanos(left);
      }
      woken = false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the current or the next {@link #await}. */
  void wake() {
    lock.lock();
    try {
      woken = true;
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return messages.size();
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    return size() == 0;
  }

  boolean belowBound() {
    return bytes() <= capacityBytes;
  }

  boolean belowHalf() {
    return 2 * bytes() < capacityBytes;
  }

  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
