package dev.chatflow.message;

/** Why something a client sent was refused; the names are those of the wire. */
public enum ErrorCode {
  MALFORMED_JSON(400),
  VALIDATION_FAILED(422),
  NOT_JOINED(409),
  ALREADY_JOINED(409),
  USER_MISMATCH(422),
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

  /** The number in the frame's {@code status}, and the status of an HTTP answer. */
  public int status() {
    return status;
  }
}
