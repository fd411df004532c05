package dev.chatflow.server.publish;

/** What became of one attempt to publish an entry. */
public sealed interface Confirm {

  /** The broker has it. */
  record Acked() implements Confirm {}

  /** The broker could not take it. */
  record Nacked() implements Confirm {}

  /** No log wants it. */
  record Returned(String reason) implements Confirm {}

  /** No word within the confirm timeout. */
  record TimedOut() implements Confirm {}

  /** The channel or the connection ended, or none was to be had: nobody knows. */
  record Lost(String reason) implements Confirm {}
}
