package dev.chatflow.server.publish;

/** Whether publishes reach the broker. */
public enum CircuitState {
  /** They do. */
  CLOSED,
  /** They do not: no connection, or too many failures in a row. */
  OPEN,
  /** Connected, and the first confirm is awaited. */
  HALF_OPEN
}
