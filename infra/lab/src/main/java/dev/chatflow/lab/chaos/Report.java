package dev.chatflow.lab.chaos;

import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.LoadResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The result of one scenario.
 *
 * @param accepted accepted messages of the load
 * @param away length of the fault; for a broker until it accepted connections and declarations
 * @param stall maximum time from a message's due time to its arrival at a member
 * @param recovery the longest time from a lost connection to the next membership
 * @param problems violations; empty if it passed
 */
record Report(
    String scenario,
    String broker,
    long accepted,
    long lost,
    long duplicated,
    long reordered,
    Duration away,
    Duration stall,
    Duration recovery,
    String note,
    List<String> problems) {

  static final String HEADER =
      """
      | scenario | broker | accepted | lost | duplicated | reordered | fault, s | longest stall, s | slowest recovery, s | seen | |
      |---|---|---|---|---|---|---|---|---|---|---|\
      """;

  /** Returns the figures of a run. */
  static Report of(String scenario, String broker, Played played, List<String> problems) {
    LoadResult result = played.result();
    return new Report(
        scenario,
        broker,
        result.count("accepted"),
        result.defect("lost"),
        result.defect("duplicate") + result.defect("retry-duplicate"),
        result.defect("reordered"),
        played.away(),
        result.longestStall(),
        result.slowestRecovery(),
        played.note(),
        problems);
  }

  boolean passed() {
    return problems.isEmpty();
  }

  /** Returns a row of a Markdown table. */
  String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,d | %,d | %,d | %,d | %s | %s | %s | %s | %s |",
        scenario,
        broker,
        accepted,
        lost,
        duplicated,
        reordered,
        seconds(away),
        seconds(stall),
        seconds(recovery),
        note,
        passed() ? "pass" : "**FAIL**");
  }

  private static String seconds(Duration time) {
    return time.isZero() ? "-" : String.format(Locale.ROOT, "%.1f", time.toMillis() / 1e3);
  }
}
