package dev.chatflow.client.cli;

/** What the process says when it ends; the order of several is in {@code report.Verdict}. */
final class ExitCodes {
  static final int PASSED = 0;
  static final int INTERNAL = 1;
  static final int USAGE = 2;
  static final int OBJECTIVE_MISSED = 3;
  static final int NOT_VERIFIED = 4;
  static final int UNREACHABLE = 5;
  static final int SATURATED = 6;
  static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
