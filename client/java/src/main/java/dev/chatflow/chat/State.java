package dev.chatflow.chat;

import java.time.Instant;

/** The connection state of a room. */
public sealed interface State {

  /** Connecting to a server. */
  record Connecting() implements State {}

  /** Connected; the JOIN has not come back yet. */
  record Joining() implements State {}

  /**
   * Joined.
   *
   * @param server the id of the server
   */
  record Here(String server) implements State {}

  /**
   * Not joined; the next attempt is scheduled.
   *
   * @param until time of the next attempt
   */
  record Waiting(String why, Instant until) implements State {}

  /**
   * Stopped for good. Join again to retry.
   *
   * @param code the close code, or the {@code errorCode} of a rejected JOIN
   */
  record Stopped(String why, String code) implements State {}

  /** The room was left. */
  record Left() implements State {}
}
