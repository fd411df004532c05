package dev.chatflow.server.edge;

import java.time.Duration;

/** What the edge counts. Any thread calls; no call parks its caller. */
public interface EdgeMeter {

  /** A message was taken from a client. */
  void accepted();

  /** A message took this long from its frame to its lane; sampled. */
  void acceptTook(Duration frameToLane);

  /** A write to a member took this long; sampled. */
  void writeTook(Duration write);

  /** How it showed that a peer has gone without a word. */
  enum Loss {
    /** Its pings were not answered. */
    NO_PONG,
    /** A write to it failed. */
    WRITE_FAILED
  }

  /** A connection was given up as slow: a write made no progress for the container's timeout. */
  void writeTimedOut();

  /** A connection was given up because its peer has gone. */
  void peerLost(Loss how);

  /** A message was answered with an error. */
  void refused(String errorCode);

  /** A connection ended with this close code. */
  void closed(int code);

  /**
   * A connection was not let in: {@code full}, {@code memory}, {@code address}, {@code starting},
   * {@code draining}, {@code back from a standstill}, {@code bad room}, {@code origin} or {@code
   * token}.
   */
  void connectionRefused(String reason);
}
