package dev.chatflow.chat;

import java.util.stream.Stream;

/**
 * The reason for programs why a call failed or a room stopped. Codes without a comment are the
 * {@code errorCode}s of the protocol. Later versions may add more.
 */
public enum Code {
  /** The connection was lost after the text was sent, so it may or may not be in the room. */
  UNKNOWN,
  /** The room was left or has stopped. */
  LEFT,
  /** Too many texts are unacknowledged. */
  TOO_MANY,
  /** The token names no user, or a different one than before. */
  TOKEN,
  /** The server closed the connection; {@link State.Stopped#closeCode} has the close code. */
  CLOSED,
  /** An {@code errorCode} or HTTP status that this version does not know; the message names it. */
  OTHER,
  MALFORMED_JSON,
  VALIDATION_FAILED,
  NOT_JOINED,
  ALREADY_JOINED,
  USER_MISMATCH,
  READ_ONLY,
  MUTED,
  SERVICE_UNAVAILABLE,
  RATE_LIMITED,
  BAD_ROOM,
  BAD_QUERY,
  UNAUTHORIZED,
  FORBIDDEN,
  NOT_FOUND,
  METHOD_NOT_ALLOWED,
  PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE;

  static Code of(String name) {
    return Stream.of(values()).filter(code -> code.name().equals(name)).findAny().orElse(OTHER);
  }
}
