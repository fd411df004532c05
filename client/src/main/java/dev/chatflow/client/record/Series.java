package dev.chatflow.client.record;

import java.util.Locale;

/** The measured times, in microseconds. */
public enum Series {
  /** TCP connect and upgrade. */
  CONNECT,
  /** From writing a JOIN to receiving it. */
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
  /** From due to written: the client's own delay. */
  LAG,
  /** From losing the connection to receiving the next JOIN. */
  RECOVERY,
  /** From starting to reconnect to receiving the JOIN after all missed messages. */
  CATCH_UP,
  /** A SIGNAL from its due time to each member's copy. */
  SIGNAL;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
