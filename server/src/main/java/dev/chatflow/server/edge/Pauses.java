package dev.chatflow.server.edge;

import dev.chatflow.server.sink.Wire;
import java.util.EnumSet;
import java.util.Set;

/**
 * Stops the reading of one connection with the first reason not to read, and goes on when the last
 * has gone.
 *
 * <p>Guarded by its session's lock.
 */
public final class Pauses {

  /** Why a connection is not read. */
  public enum Reason {
    WINDOW,
    BEHIND,
    LANE,
    MAILBOX,
    JOIN,
    DRAIN
  }

  private final Wire wire;
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

  public Pauses(Wire wire) {
    this.wire = wire;
  }

  public boolean isEmpty() {
    return reasons.isEmpty();
  }

  public boolean has(Reason reason) {
    return reasons.contains(reason);
  }

  public void add(Reason reason) {
    if (reasons.isEmpty()) {
      wire.suspend();
    }
    reasons.add(reason);
  }

  /** Whether that was the last one, so that the connection is read again. */
  public boolean remove(Reason reason) {
    boolean last = reasons.remove(reason) && reasons.isEmpty();
    if (last) {
      wire.resume();
    }
    return last;
  }

  public void removeAll() {
    if (!reasons.isEmpty()) {
      reasons.clear();
      wire.resume();
    }
  }
}
