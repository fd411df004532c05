package dev.chatflow.server;

/** A server that cannot start; the message is one line for an operator. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
