package dev.chatflow.chat;

import java.time.Instant;

/** Where a room stands. */
public sealed interface State {

  /** On the way to a server. */
  record Connecting() implements State {}

  /** Connected, and not yet let in. */
  record Joining() implements State {}

  /**
   * In the room.
   *
   * @param server the id of the server
   */
  record Here(String server) implements State {}

  /**
   * Not in the room; it tries again by itself.
   *
   * @param until when
   */
  record Waiting(String why, Instant until) implements State {}

  /**
   * It does not come back: join again to retry.
   *
   * @param code the close code, or the {@code errorCode} of a refused JOIN
   */
  record Stopped(String why, String code) implements State {}

  /** The room was left. */
  record Left() implements State {}
}
