package dev.chatflow.client;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the process says when it ends; the only home of these numbers. When several apply, as in a
 * sweep, the one declared last wins.
 */
public enum ExitCode {
  PASSED(0, "passed: every delivery proved, every objective held"),
  OBJECTIVE_MISSED(3, "an objective was missed, or a figure is worse than compare allows"),
  SATURATED(6, "the client itself was the limit: its figures are not to be trusted"),
  NOT_VERIFIED(4, "verification failed: a delivery was lost, doubled, out of order or wrong"),
  INTERRUPTED(130, "interrupted: partial results"),
  UNREACHABLE(5, "target unreachable or unhealthy"),
  USAGE(2, "usage error: an option, a value or a file cannot be used"),
  FAILED(1, "internal error, or results that could not be written");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  /** Meanings by number, ascending, as in the help. */
  public static Map<String, String> list() {
    Map<String, String> list = new LinkedHashMap<>();
    Arrays.stream(values())
        .sorted(java.util.Comparator.comparingInt(ExitCode::number))
        .forEach(code -> list.put(Integer.toString(code.number), code.meaning));
    return list;
  }
}
