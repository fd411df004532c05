package dev.chatflow.client.verify;

import java.util.Locale;

/** The defects of deliveries. Any of them fails the run. */
public enum Defect {
  /** A required copy is missing at the end of the drain; counted per copy. */
  LOST,
  /** A receiver got a second copy. */
  DUPLICATE,
  /** Another member got a second copy of a message that its sender had sent again. */
  RETRY_DUPLICATE,
  /** A receiver got a lower sequence number than before from this sender. */
  REORDERED,
  /** The checksum of head and text is wrong. */
  CORRUPT,
  /** A frame has the wrong room, belongs to another run, or arrived at a non-member. */
  MISROUTED,
  /**
   * A message was neither echoed nor rejected although its connection stayed up; its missing copies
   * also count as lost.
   */
  UNANSWERED,
  /**
   * A message without an outcome when its sender lost the connection arrived at some members, but
   * not all.
   */
  PARTIAL,
  /** A member got a message after messages that another member got later. */
  DIVERGENT;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
