package dev.chatflow.server.publish.channel;

/** What became of one attempt to hand something to the broker. */
public sealed interface Confirm {

  /** The broker has it. */
  record Acked() implements Confirm {}

  /** The broker could not take it. */
  record Nacked() implements Confirm {}

  /** No queue wants it: the own queue, or the exchange, is gone. */
  record Returned(String reason) implements Confirm {}

  /** No word within the confirm timeout. */
  record TimedOut() implements Confirm {}

  /** The channel or the connection ended, or none was to be had: nobody knows. */
  record Lost(String reason) implements Confirm {}
}
