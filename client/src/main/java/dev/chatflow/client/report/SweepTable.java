package dev.chatflow.client.report;

import dev.chatflow.client.analyse.Matrix;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The results of a sweep, cell by cell: medians of the repeats with their range, factors against
 * the first cell. One thread.
 */
public final class SweepTable {
  static final List<String> HEAD =
      List.of(
          "cell",
          "window s",
          "accepted/s",
          "x-factor",
          "deliveries/s",
          "x-factor",
          "fan-out",
          "p50 ms",
          "p99 ms",
          "queue peak",
          "queue mean",
          "failed",
          "failed connections",
          "meets target");

  private final Map<Map<String, String>, List<StoredRun>> runs = new LinkedHashMap<>();

  public SweepTable(List<Map<String, String>> cells) {
    cells.forEach(cell -> runs.put(cell, new ArrayList<>()));
  }

  public void add(Map<String, String> cell, StoredRun run) {
    runs.computeIfAbsent(cell, _ -> new ArrayList<>()).add(run);
  }

  /** 4 before 6 before 3 before 0. */
  public int worstExitCode() {
    List<Integer> severity = List.of(0, 3, 6, 4, 130);
    return runs.values().stream()
        .flatMap(List::stream)
        .map(run -> run.result().verdict().exitCode())
        .max((one, two) -> Integer.compare(severity.indexOf(one), severity.indexOf(two)))
        .orElse(0);
  }

  /** Cells that have results, by their names, in the order given. */
  Map<String, List<StoredRun>> cells() {
    Map<String, List<StoredRun>> named = new LinkedHashMap<>();
    runs.forEach((cell, own) -> {
      if (!own.isEmpty()) {
        named.put(name(cell), own);
      }
    });
    return named;
  }

  /** The table for a terminal. */
  public String text() {
    List<List<String>> all = new ArrayList<>(List.of(HEAD));
    all.addAll(rows());
    int[] widths = new int[HEAD.size()];
    all.forEach(row -> {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    });
    StringBuilder text = new StringBuilder();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        boolean left = i == 0 || i == widths.length - 1;
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(left ? row.get(i) + pad : pad + row.get(i)).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  String csv() {
    StringBuilder csv = new StringBuilder();
    List<List<String>> all = new ArrayList<>(List.of(HEAD));
    all.addAll(rows());
    all.forEach(row ->
        csv.append(row.stream().map(cell -> cell.replace(",", "")).collect(Collectors.joining(",")))
            .append('\n'));
    return csv.toString();
  }

  /** The rows below {@link #HEAD}. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    double firstAccepted = 0;
    double firstDelivered = 0;
    for (Map.Entry<String, List<StoredRun>> cell : cells().entrySet()) {
      List<StoredRun> own = cell.getValue();
      double accepted = median(own, RunResult::acceptedPerSecond);
      double delivered = median(own, RunResult::deliveriesPerSecond);
      firstAccepted = firstAccepted == 0 ? accepted : firstAccepted;
      firstDelivered = firstDelivered == 0 ? delivered : firstDelivered;
      rows.add(
          List.of(
              cell.getKey(),
              format("%.2f", median(own, result -> result.record().windowSeconds())),
              format("%,.0f", accepted) + range(own, RunResult::acceptedPerSecond),
              format("%.2f", accepted / Math.max(1e-9, firstAccepted)),
              format("%,.0f", delivered) + range(own, RunResult::deliveriesPerSecond),
              format("%.2f", delivered / Math.max(1e-9, firstDelivered)),
              format("%.1f", median(own, RunResult::textFanOut)),
              format("%,.1f", median(own, result -> result.deliveryPercentile(50) / 1e3)),
              format("%,.1f", median(own, result -> result.deliveryPercentile(99) / 1e3)),
              depth(own, "peak"),
              depth(own, "mean"),
              format("%,.0f", median(own, result -> result.record().tally().textsUnsent)),
              format("%,.0f", median(own, result -> result.record().tally().connectionsFailed)),
              meetsTarget(own)));
    }
    return rows;
  }

  private static String meetsTarget(List<StoredRun> runs) {
    return runs.stream()
        .map(run -> run.result().verdict())
        .filter(verdict -> !verdict.passed())
        .findFirst()
        .map(verdict -> "no: " + verdict.headline())
        .orElse("yes");
  }

  private static String depth(List<StoredRun> runs, String statistic) {
    boolean seen = runs.stream().allMatch(run -> run.result().queueDepth(statistic).isPresent());
    return seen
        ? format("%,.0f", median(runs, result -> result.queueDepth(statistic).orElse(0)))
        : "-";
  }

  static double median(List<StoredRun> runs, ToDoubleFunction<RunResult> figure) {
    return Matrix.median(runs.stream().map(run -> figure.applyAsDouble(run.result())).toList());
  }

  static double meanEchoMillis(RunResult result) {
    return result.record().series().of(Series.ECHO, Clock.SERVICE).getMean() / 1e3;
  }

  private static String range(List<StoredRun> runs, ToDoubleFunction<RunResult> figure) {
    double[] sorted =
        runs.stream().mapToDouble(run -> figure.applyAsDouble(run.result())).sorted().toArray();
    return sorted.length < 2 ? "" : format(" (%,.0f..%,.0f)", sorted[0], sorted[sorted.length - 1]);
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"})
  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** {@code name=value name=value}. */
  public static String name(Map<String, String> cell) {
    return cell.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }
}
