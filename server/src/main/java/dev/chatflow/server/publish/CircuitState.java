package dev.chatflow.server.publish;

/** Whether publishes reach the broker. */
public enum CircuitState {
  /** They do. */
  CLOSED,
  /** They do not: no connection, or too many consecutive failures. */
  OPEN,
  /** Connected, waiting for the first confirm. */
  HALF_OPEN
}
