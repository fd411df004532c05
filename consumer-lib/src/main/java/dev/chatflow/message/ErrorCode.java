package dev.chatflow.message;

/** The error codes of the protocol, as written on the wire. */
public enum ErrorCode {
  MALFORMED_JSON(400),
  VALIDATION_FAILED(422),
  NOT_JOINED(409),
  ALREADY_JOINED(409),
  USER_MISMATCH(422),
  READ_ONLY(403),
  MUTED(403),
  SERVICE_UNAVAILABLE(503),
  RATE_LIMITED(429),
  BAD_ROOM(400),
  BAD_QUERY(400),
  UNAUTHORIZED(401),
  FORBIDDEN(403),
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  PAYLOAD_TOO_LARGE(413),
  UNSUPPORTED_MEDIA_TYPE(415);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  /** Returns the {@code status} of the frame, which is also the HTTP status. */
  public int status() {
    return status;
  }
}
