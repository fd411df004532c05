package dev.chatflow.server.launch;

/** Reports that the start failed, in one sentence for the user. */
final class LaunchException extends Exception {
  private static final long serialVersionUID = 1L;

  static final int FAILED = 1;
  static final int MISCONFIGURED = 2;

  private final int status;

  private LaunchException(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  private LaunchException(int status, String message) {
    super(message);
    this.status = status;
  }

  static LaunchException failed(String message, Throwable cause) {
    return new LaunchException(FAILED, message, cause);
  }

  static LaunchException failed(String message) {
    return new LaunchException(FAILED, message);
  }

  static LaunchException misconfigured(String message) {
    return new LaunchException(MISCONFIGURED, message);
  }

  /** Returns the exit status of the process. */
  int status() {
    return status;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
