package dev.chatflow.server.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The frames that wait for one connection only, and whether the connection may be read.
 *
 * <p>Bounded by its user, which stops adding when the mailbox reports that it is full. Not
 * thread-safe: guarded by its sink.
 */
final class Mailbox<T> {

  private final Deque<T> entries = new ArrayDeque<>(1);

  // Every write asks for mail; this spares it the memory access to an empty deque.
  private int size;
  private boolean full;

  void add(T entry) {
    entries.add(entry);
    size++;
    full |= size >= MemberSink.MAILBOX_CAPACITY;
  }

  @Nullable T poll() {
    if (size == 0) {
      return null;
    }
    size--;
    return entries.remove();
  }

  void clear() {
    entries.clear();
    size = 0;
  }

  /** Returns whether it was full and {@link #takeReopened} has not returned true since. */
  boolean isFull() {
    return full;
  }

  /** Returns whether it was full and is half empty now; true once each time. */
  boolean takeReopened() {
    if (!full || size > MemberSink.MAILBOX_CAPACITY / 2) {
      return false;
    }
    full = false;
    return true;
  }
}
