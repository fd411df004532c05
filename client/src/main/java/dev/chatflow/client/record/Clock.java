package dev.chatflow.client.record;

/** The start of a latency. */
public enum Clock {
  /** From the due time, as a user would feel it. */
  RESPONSE,
  /** From the write: the time of the server. */
  SERVICE
}
