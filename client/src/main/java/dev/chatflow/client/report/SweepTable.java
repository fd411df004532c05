package dev.chatflow.client.report;

import dev.chatflow.client.analyse.Matrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results of a sweep, cell by cell: medians of the repeats, factors against the first cell. One
 * thread.
 */
public final class SweepTable {
  private final Map<Map<String, String>, List<RunResult>> results = new LinkedHashMap<>();

  public SweepTable(List<Map<String, String>> cells) {
    cells.forEach(cell -> results.put(cell, new ArrayList<>()));
  }

  public void add(Map<String, String> cell, RunResult result) {
    results.computeIfAbsent(cell, _ -> new ArrayList<>()).add(result);
  }

  /** 4 before 6 before 3 before 0. */
  public int worstExitCode() {
    List<Integer> severity = List.of(0, 3, 6, 4, 130);
    return results.values().stream()
        .flatMap(List::stream)
        .map(result -> result.verdict().exitCode())
        .max((one, two) -> Integer.compare(severity.indexOf(one), severity.indexOf(two)))
        .orElse(0);
  }

  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%-32s %10s %11s %8s %13s %10s %10s  %s%n",
            "cell",
            "window s",
            "accepted/s",
            "x-factor",
            "deliveries/s",
            "p50 ms",
            "p99 ms",
            "meets target"));
    double first = 0;
    for (Map.Entry<Map<String, String>, List<RunResult>> entry : results.entrySet()) {
      List<RunResult> runs = entry.getValue();
      if (runs.isEmpty()) {
        continue;
      }
      double accepted = median(runs, RunResult::acceptedPerSecond);
      first = first == 0 ? accepted : first;
      text.append(row(entry.getKey(), runs, accepted / Math.max(1e-9, first)));
    }
    return text.toString();
  }

  private static String row(Map<String, String> cell, List<RunResult> runs, double factor) {
    return String.format(
        Locale.ROOT,
        "%-32s %10.2f %,11.0f %8.2f %,13.0f %,10.1f %,10.1f  %s%n",
        name(cell),
        median(runs, result -> result.record().windowSeconds()),
        median(runs, RunResult::acceptedPerSecond),
        factor,
        median(runs, RunResult::deliveriesPerSecond),
        median(runs, result -> result.deliveryPercentile(50) / 1e3),
        median(runs, result -> result.deliveryPercentile(99) / 1e3),
        runs.stream().allMatch(result -> result.verdict().passed())
            ? "yes"
            : "no: "
                + runs.stream()
                    .map(RunResult::verdict)
                    .filter(v -> !v.passed())
                    .findFirst()
                    .map(Verdict::headline)
                    .orElse(""));
  }

  private static double median(
      List<RunResult> runs, java.util.function.ToDoubleFunction<RunResult> figure) {
    return Matrix.median(runs.stream().map(figure::applyAsDouble).toList());
  }

  private static String name(Map<String, String> cell) {
    StringBuilder name = new StringBuilder();
    cell.forEach((key, value) ->
        name.append(name.isEmpty() ? "" : " ").append(key).append('=').append(value));
    return name.toString();
  }
}
