package dev.chatflow.broker;

/**
 * Reports that the broker could not execute a request: unavailable, refused, or configured
 * differently.
 */
public class BrokerException extends Exception {
  private static final long serialVersionUID = 1L;

  public BrokerException(String message) {
    super(message);
  }

  public BrokerException(String message, Throwable cause) {
    super(message, cause);
  }
}
