package dev.chatflow.client;

/**
 * Ends a command with a sentence for its user in place of a result: what was wrong, what is
 * allowed, what to do.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  public CommandFailure(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** What was asked for is not possible: a value, a combination, a file that cannot be read. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /** Refuses a value outside of its range. */
  public static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw usage(name + " must be from " + min + " to " + max + ", found " + value);
    }
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
