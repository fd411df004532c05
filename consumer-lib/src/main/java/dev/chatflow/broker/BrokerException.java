package dev.chatflow.broker;

/** A broker that could not do what was asked: away, refusing, or configured otherwise. */
public class BrokerException extends Exception {
  private static final long serialVersionUID = 1L;

  public BrokerException(String message) {
    super(message);
  }

  public BrokerException(String message, Throwable cause) {
    super(message, cause);
  }
}
