package dev.chatflow.message;

/** Text that is not one JSON object by the rules of the protocol; the message says why. */
public final class MalformedTextException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedTextException(String reason) {
    super(reason, null, false, false); // an expected outcome: no stack trace is worth its price
  }

  /** Why, in words for the sender. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
