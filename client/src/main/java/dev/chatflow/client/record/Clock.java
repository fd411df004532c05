package dev.chatflow.client.record;

/** From when a latency counts. */
public enum Clock {
  /** From the due time: what a user would have felt. */
  RESPONSE,
  /** From the write: what the server did. */
  SERVICE
}
