package dev.chatflow.server.simulation.plan;

import dev.chatflow.server.simulation.plan.Dice.Channel;
import java.util.EnumSet;
import java.util.Set;

/**
 * The faults of a seed. About half of them are off in each seed, so that each fault also occurs
 * without the others.
 */
public enum Fault {
  /** An entry is stored, and its channel ends without an answer. */
  CHANNEL_LOST,
  NACK,
  /** An entry is stored and never confirmed. */
  SILENCE,
  /** The connection ends; the entry lands later, after its repeat. */
  LATE_COPY,
  LATE_CONFIRM,
  /** Every second server is slow to publish and to read. */
  SLOW,
  /** Rooms are full for a while. */
  NO_SPACE,
  CONNECTION_CUT,
  READING_CUT,
  FREEZE,
  BOOT,
  /** Servers are drained, and start again. */
  DRAIN,
  /** Clients lose their connections. */
  CLIENT_CUT,
  /** Clients stop reading for a while. */
  CLIENT_STALL,
  /** Not a fault: some texts are posted over HTTP. */
  POSTS,
  /** The broker comes back without the end of the log. */
  TAIL_LOST;

  /** Returns the faults of a seed. */
  static Set<Fault> of(Dice dice, Kind kind) {
    Set<Fault> on = EnumSet.noneOf(Fault.class);
    for (Fault fault : values()) {
      if (dice.below(2, Channel.FAULTS, fault.name().hashCode()) == 0) {
        on.add(fault);
      }
    }
    on.remove(TAIL_LOST);
    if (kind == Kind.CUT_STREAM) {
      on.add(TAIL_LOST);
    }
    return on;
  }
}
