package dev.chatflow.chat;

/** Reports that a text was not accepted by its room. Programs use the code, people the message. */
public final class ChatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The connection was lost after the text was sent, so it may or may not be in the room. */
  public static final String UNKNOWN = "UNKNOWN";

  /** The room was left or stopped before the text came back. */
  public static final String LEFT = "LEFT";

  /** Too many texts are unacknowledged. */
  public static final String TOO_MANY = "TOO_MANY";

  private final String code;

  ChatException(String code, String message) {
    super(message);
    this.code = code;
  }

  /** Returns one of the constants of this class, or an {@code errorCode} of the protocol. */
  public String code() {
    return code;
  }
}
