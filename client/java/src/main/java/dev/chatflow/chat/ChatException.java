package dev.chatflow.chat;

/** A text is not in the room; its code is for programs, its message for people. */
public final class ChatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** It was sent, the connection was lost, and whether the room has it cannot be told. */
  public static final String UNKNOWN = "UNKNOWN";

  /** The room was left, or has stopped, before it came back. */
  public static final String LEFT = "LEFT";

  /** Too many texts are under way. */
  public static final String TOO_MANY = "TOO_MANY";

  private final String code;

  ChatException(String code, String message) {
    super(message);
    this.code = code;
  }

  /** One of this class, or an {@code errorCode} of the protocol. */
  public String code() {
    return code;
  }
}
