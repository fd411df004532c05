package dev.chatflow.server.edge;

import java.time.Duration;

/** Counts events of the edge. Thread-safe; no call parks its caller. */
public interface EdgeMeter {

  /** Counts a message accepted from a client. */
  void accepted();

  /** Reports the time of a message from its frame to its lane; sampled. */
  void acceptTook(Duration frameToLane);

  /** Reports the time of a write to a member; sampled. */
  void writeTook(Duration write);

  /** How a lost peer was detected. */
  enum Loss {
    /** Its pings were not answered. */
    NO_PONG,
    /** A write to it failed. */
    WRITE_FAILED
  }

  /** Counts a connection dropped as slow: a write made no progress for the container's timeout. */
  void writeTimedOut();

  /** Counts a connection dropped because its peer is lost. */
  void peerLost(Loss how);

  /** Counts a message answered with an error. */
  void refused(String errorCode);

  /** Counts a connection that ended with this close code. */
  void closed(int code);

  /**
   * Counts a rejected connection: {@code full}, {@code memory}, {@code address}, {@code starting},
   * {@code draining}, {@code paused}, {@code bad room}, {@code origin} or {@code token}.
   */
  void connectionRefused(String reason);
}
