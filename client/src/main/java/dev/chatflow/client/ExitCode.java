package dev.chatflow.client;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of the process. If several apply, as in a sweep, the last declared one wins. */
public enum ExitCode {
  PASSED(0, "passed: every delivery checked, every objective met"),
  OBJECTIVE_MISSED(3, "an objective was missed, or a figure is worse than compare allows"),
  SATURATED(6, "the client was the bottleneck: do not trust the figures"),
  NOT_VERIFIED(4, "verification failed: a delivery was lost, duplicated, out of order or wrong"),
  INTERRUPTED(130, "interrupted: partial results"),
  UNREACHABLE(5, "target unreachable or unhealthy"),
  USAGE(2, "usage error: invalid option, value or file"),
  FAILED(1, "internal error, or results could not be written");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  /** Returns the meanings for the help, by ascending number. */
  public static Map<String, String> list() {
    Map<String, String> list = new LinkedHashMap<>();
    Arrays.stream(values())
        .sorted(java.util.Comparator.comparingInt(ExitCode::number))
        .forEach(code -> list.put(Integer.toString(code.number), code.meaning));
    return list;
  }
}
