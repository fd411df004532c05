package dev.chatflow.client;

/** Ends a command with a message for its user: the error, the allowed values, the next step. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  public CommandFailure(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Returns a usage error: a value, a combination, or a file that cannot be read. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /** Rejects a value outside its range. */
  public static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw usage(name + " must be from " + min + " to " + max + ", found " + value);
    }
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
