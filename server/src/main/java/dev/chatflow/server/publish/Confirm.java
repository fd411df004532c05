package dev.chatflow.server.publish;

/** The outcome of one attempt to publish an entry. */
public sealed interface Confirm {

  /** The broker has it. */
  record Acked() implements Confirm {}

  /** The broker could not accept it. */
  record Nacked() implements Confirm {}

  /** No log is bound for it. */
  record Returned(String reason) implements Confirm {}

  /** No answer within the confirm timeout. */
  record TimedOut() implements Confirm {}

  /** Unknown: the channel or the connection ended, or none was available. */
  record Lost(String reason) implements Confirm {}
}
