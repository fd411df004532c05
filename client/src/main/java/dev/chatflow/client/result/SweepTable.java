package dev.chatflow.client.result;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.record.Csv;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The results of a sweep: for each cell medians of the repeats with their range, and rates with
 * their factor relative to the first cell. One thread.
 */
public final class SweepTable {
  private static final List<Figure> FIGURES = Figures.in(Figure.Display.SWEEP);

  private final Map<Map<String, String>, List<StoredRun>> runs = new LinkedHashMap<>();

  /** One figure over the runs of a cell that have it; {@code NaN} if none has. */
  private record Spread(double median, double least, double most, double factor) {}

  public SweepTable(List<Map<String, String>> cells) {
    cells.forEach(cell -> runs.put(cell, new ArrayList<>()));
  }

  public void add(Map<String, String> cell, StoredRun run) {
    runs.computeIfAbsent(cell, _ -> new ArrayList<>()).add(run);
  }

  /** Returns the worst exit code of all runs. */
  public ExitCode worst() {
    return runs.values().stream()
        .flatMap(List::stream)
        .map(run -> run.result().verdict().exitCode())
        .max(ExitCode::compareTo)
        .orElse(ExitCode.PASSED);
  }

  /** Returns the cells with results by name, in order. */
  public Map<String, List<StoredRun>> cells() {
    Map<String, List<StoredRun>> named = new LinkedHashMap<>();
    runs.forEach((cell, own) -> {
      if (!own.isEmpty()) {
        named.put(name(cell), own);
      }
    });
    return named;
  }

  /** Returns the table for a terminal. */
  public String text() {
    List<List<String>> all = new ArrayList<>(List.of(head()));
    all.addAll(rows());
    int columns = head().size();
    List<Integer> widths =
        IntStream.range(0, columns)
            .map(i -> all.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .boxed()
            .toList();
    return all.stream()
        .map(row ->
            IntStream.range(0, columns)
                .mapToObj(i -> padded(row.get(i), widths.get(i), i == 0 || i == columns - 1))
                .collect(Collectors.joining("  "))
                .stripTrailing())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String padded(String text, int width, boolean left) {
    return String.format(Locale.ROOT, "%" + (left ? "-" : "") + Math.max(1, width) + "s", text);
  }

  /** Returns the table for programs: each figure with columns for minimum, maximum and factor. */
  public String csv() {
    List<String> columns = new ArrayList<>(List.of("cell", "runs"));
    for (Figure figure : FIGURES) {
      String name = figure.column();
      columns.addAll(List.of(name, name + "Least", name + "Most"));
      if (hasFactor(figure)) {
        columns.add(name + "Factor");
      }
    }
    columns.add("verdict");
    Csv csv = new Csv(columns);
    cells()
        .forEach((name, own) -> {
          List<Object> cells = new ArrayList<>(List.of(name, own.size()));
          for (Figure figure : FIGURES) {
            Spread spread = spread(figure, own);
            cells.addAll(
                List.of(
                    figure.inCell(spread.median),
                    figure.inCell(spread.least),
                    figure.inCell(spread.most)));
            if (hasFactor(figure)) {
              cells.add(spread.factor);
            }
          }
          cells.add(meetsTarget(own));
          csv.row(cells);
        });
    return csv.toString();
  }

  /** Returns the header of {@link #rows}. */
  public List<String> head() {
    List<String> head = new ArrayList<>(List.of("cell"));
    for (Figure figure : FIGURES) {
      head.add(figure.head());
      if (hasFactor(figure)) {
        head.add("factor");
      }
    }
    head.add("meets target");
    return head;
  }

  public List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    cells()
        .forEach((name, own) -> {
          List<String> row = new ArrayList<>(List.of(name));
          for (Figure figure : FIGURES) {
            Spread spread = spread(figure, own);
            row.add(text(figure, spread, own.size() > 1 && hasFactor(figure)));
            if (hasFactor(figure)) {
              row.add(times(spread.factor));
            }
          }
          row.add(meetsTarget(own));
          rows.add(row);
        });
    return rows;
  }

  /** Returns whether a figure is a rate, which is only meaningful relative to other cells. */
  public static boolean hasFactor(Figure figure) {
    return figure.unit() == Unit.PER_SECOND;
  }

  /** Returns a rate relative to the first cell; {@code NaN} without one. */
  public static double factor(double first, double own) {
    return first == 0 ? Double.NaN : own / first;
  }

  /** Formats a factor; {@code -} without one. */
  public static String times(double factor) {
    return Double.isNaN(factor) ? "-" : String.format(Locale.ROOT, "%.2f", factor);
  }

  private static String text(Figure figure, Spread spread, boolean ranged) {
    Unit unit = figure.unit();
    return unit.number(spread.median)
        + (ranged ? " (" + unit.number(spread.least) + ".." + unit.number(spread.most) + ")" : "");
  }

  private Spread spread(Figure figure, List<StoredRun> own) {
    List<Double> values = seen(own, figure);
    if (values.isEmpty()) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    double median = Matrix.median(values);
    double first = median(cells().values().iterator().next(), figure);
    return new Spread(median, values.getFirst(), values.getLast(), factor(first, median));
  }

  /** Returns the median of the runs that have the figure; {@code NaN} if none has. */
  public static double median(List<StoredRun> runs, Figure figure) {
    List<Double> values = seen(runs, figure);
    return values.isEmpty() ? Double.NaN : Matrix.median(values);
  }

  private static List<Double> seen(List<StoredRun> runs, Figure figure) {
    return runs.stream()
        .map(run -> figure.of(run.result()))
        .filter(value -> !value.isNaN())
        .sorted()
        .toList();
  }

  private static String meetsTarget(List<StoredRun> runs) {
    return runs.stream()
        .map(run -> run.result().verdict())
        .filter(verdict -> !verdict.passed())
        .findFirst()
        .map(Verdict::headline)
        .map(headline -> "no: " + headline)
        .orElse("yes");
  }

  /** Returns {@code name=value name=value}. */
  public static String name(Map<String, String> cell) {
    return cell.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }
}
