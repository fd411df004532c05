package dev.chatflow.message;

/**
 * Reports a text that is not one JSON object by the rules of the protocol; the message is the
 * reason.
 */
public final class MalformedTextException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedTextException(String reason) {
    super(reason, null, false, false); // an expected outcome, so without a costly stack trace
  }

  /** Returns the reason to send to the client. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
