package dev.chatflow.server.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What waits to leave by one connection alone, and whether the connection may be read on.
 *
 * <p>Bounded by its user, who is told when it is full and stops to cause entries. Not thread-safe:
 * guarded by its sink.
 */
final class Mailbox<T> {

  private final Deque<T> entries = new ArrayDeque<>(1);
  private boolean full;

  void add(T entry) {
    entries.add(entry);
    full |= entries.size() >= MemberSink.MAILBOX_CAPACITY;
  }

  @Nullable T poll() {
    return entries.poll();
  }

  void clear() {
    entries.clear();
  }

  /** Whether it was full and has not been half empty since, as far as was asked. */
  boolean isFull() {
    return full;
  }

  /** Whether it was full and is half empty now; true once each time. */
  boolean takeReopened() {
    if (!full || entries.size() > MemberSink.MAILBOX_CAPACITY / 2) {
      return false;
    }
    full = false;
    return true;
  }
}
