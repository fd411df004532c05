package dev.chatflow.client.verify;

import java.util.Locale;

/** How a delivery can be wrong. Any of them fails the run. */
public enum Defect {
  /** Required and absent at the end of the drain; counted per missing copy. */
  LOST,
  /** A further copy at one receiver. */
  DUPLICATE,
  /** A further copy at another member of a message that its sender had sent again. */
  RETRY_DUPLICATE,
  /** A sequence number lower than one already seen from that sender at that receiver. */
  REORDERED,
  /** The checksum over head and text does not hold. */
  CORRUPT,
  /** Wrong room, foreign run, or a receiver that is not a member. */
  MISROUTED,
  /**
   * Written on a connection that stayed up and neither echoed nor refused; its missing copies are
   * lost too.
   */
  UNANSWERED,
  /** In doubt when the sender's connection died, and shown to some members but not all. */
  PARTIAL,
  /** Came to a member behind messages that another member saw later than this one. */
  DIVERGENT;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
