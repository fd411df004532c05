package dev.chatflow.server.launch;

/** A start that cannot go on, in one sentence for the user. */
final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  static final int FAILED = 1;
  static final int MISCONFIGURED = 2;

  private final int status;

  private StartException(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  private StartException(int status, String message) {
    super(message);
    this.status = status;
  }

  static StartException failed(String message, Throwable cause) {
    return new StartException(FAILED, message, cause);
  }

  static StartException failed(String message) {
    return new StartException(FAILED, message);
  }

  static StartException misconfigured(String message) {
    return new StartException(MISCONFIGURED, message);
  }

  /** Exit status of the process. */
  int status() {
    return status;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
