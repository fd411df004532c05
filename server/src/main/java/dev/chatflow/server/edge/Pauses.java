package dev.chatflow.server.edge;

import dev.chatflow.server.sink.PeerHeartbeat;
import dev.chatflow.server.sink.Wire;
import java.util.EnumSet;
import java.util.Set;

/**
 * Pauses reading of one connection with the first reason, and resumes it when the last one is gone.
 *
 * <p>Guarded by its connection.
 */
final class Pauses {

  /** The reasons to pause. */
  enum Reason {
    WINDOW,
    BEHIND,
    LANE,
    MAILBOX,
    JOIN,
    DRAIN
  }

  private final Wire wire;
  private final PeerHeartbeat heartbeat;
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
  private boolean frozen;

  Pauses(Wire wire, PeerHeartbeat heartbeat) {
    this.wire = wire;
    this.heartbeat = heartbeat;
  }

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  boolean has(Reason reason) {
    return reasons.contains(reason);
  }

  void add(Reason reason) {
    if (frozen) {
      return;
    }
    if (reasons.isEmpty()) {
      wire.suspend();
    }
    reasons.add(reason);
  }

  void remove(Reason reason) {
    if (!frozen && reasons.remove(reason) && reasons.isEmpty()) {
      wire.resume();
      heartbeat
          .received(); // its pongs were not read, which the next beat must not count as silence
    }
  }

  /** Freezes the reasons, because the connection is closing. */
  void freeze() {
    frozen = true;
  }

  void removeAll() {
    if (!reasons.isEmpty()) {
      reasons.clear();
      wire.resume();
    }
  }
}
