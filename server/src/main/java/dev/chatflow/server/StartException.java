package dev.chatflow.server;

/** Reports that a server cannot start; the message is one line for operators. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
