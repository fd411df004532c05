package dev.chatflow.lab.chaos;

import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.LoadResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What one scenario showed.
 *
 * @param accepted messages of the load that came back to their senders
 * @param away how long the fault lasted: for a broker until it took connections and declarations
 * @param stall the longest time a member waited for a message after that was due
 * @param recovery the longest time from a lost connection to the next membership
 * @param problems what should not be; none: passed
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

  /** What was played, in figures. */
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

  /** A row of a Markdown table. */
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
