package dev.chatflow.client.record;

import java.util.Locale;

/** What is timed, in microseconds. */
public enum Series {
  /** TCP connect and upgrade. */
  CONNECT,
  /** JOIN written to own JOIN seen. */
  JOIN,
  /** A TEXT to its own copy: the acknowledgement. */
  ECHO,
  /** A TEXT to each member's copy. */
  DELIVERY,
  /** A TEXT to the copies of members on the sender's server. */
  DELIVERY_SAME,
  /** A TEXT to the copies of members on other servers. */
  DELIVERY_CROSS,
  /** A TEXT to the last member's copy. */
  FANOUT,
  /** First to last member's copy. */
  SKEW,
  /** Due to written: our own lateness. */
  LAG,
  /** A member's connection lost to its JOIN seen on the next one. */
  RECOVERY,
  /** The way back begun, to the own JOIN seen behind all that was missed. */
  CATCH_UP;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
