package dev.chatflow.server.edge;

import java.util.EnumSet;
import java.util.Set;

/**
 * Stops the reading of one connection with the first reason not to read, and goes on when the last
 * has gone.
 *
 * <p>Guarded by its session's lock.
 */
final class Pauses {

  /** Why a connection is not read. */
  enum Reason {
    WINDOW,
    BEHIND,
    LANE,
    MAILBOX,
    JOIN,
    DRAIN
  }

  private final Wire wire;
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

  Pauses(Wire wire) {
    this.wire = wire;
  }

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  void add(Reason reason) {
    if (reasons.isEmpty()) {
      wire.suspend();
    }
    reasons.add(reason);
  }

  /** Whether that was the last one, so that the connection is read again. */
  boolean remove(Reason reason) {
    boolean last = reasons.remove(reason) && reasons.isEmpty();
    if (last) {
      wire.resume();
    }
    return last;
  }

  void removeAll() {
    if (!reasons.isEmpty()) {
      reasons.clear();
      wire.resume();
    }
  }
}
