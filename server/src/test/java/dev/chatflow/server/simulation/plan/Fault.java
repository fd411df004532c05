package dev.chatflow.server.simulation.plan;

import dev.chatflow.server.simulation.plan.Dice.Channel;
import java.util.EnumSet;
import java.util.Set;

/** What may go wrong in a seed; about half of these are off, so that each is also met alone. */
public enum Fault {
  /** An entry is stored, and its channel ends without a word. */
  CHANNEL_LOST,
  NACK,
  /** An entry is stored and never confirmed. */
  SILENCE,
  /** The connection ends; the entry lands later, behind its repeat. */
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
  /** Clients read nothing for a while. */
  CLIENT_STALL,
  /** Nothing goes wrong by it: some texts are published over HTTP. */
  POSTS,
  /** The broker comes back without the end of the log. */
  TAIL_LOST;

  /** Those of a seed. */
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
