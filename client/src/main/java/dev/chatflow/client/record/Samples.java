package dev.chatflow.client.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Named values over time; an unavailable value is a gap ({@code NaN}).
 *
 * <p>Seconds count from the run's origin. Thread-safe. Bounded by the run: one row per sample, 8
 * bytes per value, at most {@value #MAX_COLUMNS} columns.
 */
public final class Samples {
  static final int MAX_COLUMNS = 500;
  private static final double[] NONE = {};

  // Guarded by this
  private final List<String> columns = new ArrayList<>();
  private final List<double[]> rows = new ArrayList<>();
  private final List<Double> times = new ArrayList<>();

  public Samples(String... names) {
    columns.addAll(List.of(names));
  }

  /** Adds a row in the order of the columns. */
  public synchronized void add(double seconds, double... values) {
    times.add(seconds);
    rows.add(values.clone());
  }

  /** Adds the rows of another program that started later. */
  public synchronized void add(Samples other, double laterSeconds) {
    double[] at = other.seconds();
    Map<String, double[]> values = new LinkedHashMap<>();
    other.columns().forEach(name -> values.put(name, other.column(name)));
    for (int row = 0; row < at.length; row++) {
      Map<String, Double> cells = new LinkedHashMap<>();
      for (Map.Entry<String, double[]> column : values.entrySet()) {
        cells.put(column.getKey(), column.getValue()[row]);
      }
      add(at[row] + laterSeconds, cells);
    }
  }

  /** Adds a row by name; new names become columns while there is space. */
  public synchronized void add(double seconds, Map<String, Double> values) {
    for (String name : values.keySet()) {
      if (!columns.contains(name) && columns.size() < MAX_COLUMNS) {
        columns.add(name);
      }
    }
    double[] row = new double[columns.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = values.getOrDefault(columns.get(i), Double.NaN);
    }
    add(seconds, row);
  }

  /** Adds a row of gaps. */
  public void gap(double seconds) {
    add(seconds, NONE);
  }

  public synchronized List<String> columns() {
    return List.copyOf(columns);
  }

  public synchronized boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the number of rows without values. */
  public synchronized int gaps() {
    return (int) rows.stream().filter(row -> Arrays.stream(row).allMatch(Double::isNaN)).count();
  }

  public synchronized int size() {
    return rows.size();
  }

  public synchronized double[] seconds() {
    return times.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the values of a column, with {@code NaN} for gaps; all gaps for an unknown column. */
  public synchronized double[] column(String name) {
    int index = columns.indexOf(name);
    return rows.stream()
        .mapToDouble(row -> index < 0 || index >= row.length ? Double.NaN : row[index])
        .toArray();
  }

  /**
   * Returns a statistic of a column without its gaps: max, mean, min, last or rate (per second).
   */
  public OptionalDouble statistic(String name, String statistic) {
    return statistic(name, statistic, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /** Returns a statistic of the samples between two times; of all if none is between. */
  public OptionalDouble statistic(String name, String statistic, double from, double to) {
    List<double[]> points = points(name);
    List<double[]> inside = points.stream().filter(at -> at[0] >= from && at[0] <= to).toList();
    List<double[]> chosen = inside.isEmpty() ? points : inside;
    if (chosen.isEmpty()) {
      return OptionalDouble.empty();
    }
    DoubleStream values = chosen.stream().mapToDouble(point -> point[1]);
    return switch (statistic) {
      case "max", "peak" -> values.max();
      case "min" -> values.min();
      case "mean" -> values.average();
      case "rate" -> rate(chosen.getFirst(), chosen.getLast());
      default -> OptionalDouble.of(chosen.getLast()[1]);
    };
  }

  private static OptionalDouble rate(double[] first, double[] last) {
    double seconds = last[0] - first[0];
    return seconds <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((last[1] - first[1]) / seconds);
  }

  private List<double[]> points(String name) {
    double[] seconds = seconds();
    double[] values = column(name);
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < Math.min(seconds.length, values.length); i++) {
      if (!Double.isNaN(values[i])) {
        points.add(new double[] {seconds[i], values[i]});
      }
    }
    return points;
  }

  /** Returns seconds and all columns, with empty cells for gaps. */
  public synchronized String csv() {
    List<String> head = new ArrayList<>(columns);
    head.addFirst("seconds");
    StringBuilder csv = new StringBuilder(Csv.line(head));
    for (int i = 0; i < rows.size(); i++) {
      double[] row = rows.get(i);
      List<Object> cells = new ArrayList<>();
      cells.add(String.format(Locale.ROOT, "%.3f", times.get(i)));
      for (int column = 0; column < columns.size(); column++) {
        cells.add(column < row.length ? row[column] : Double.NaN);
      }
      csv.append(Csv.line(cells, Csv.ALL));
    }
    return csv.toString();
  }

  /** Reads the result of {@link #csv}. */
  public synchronized void read(String csv) {
    List<String> lines = csv.lines().toList();
    columns.clear();
    Arrays.stream(Csv.cells(lines.getFirst())).skip(1).forEach(columns::add);
    for (String line : lines.subList(1, lines.size())) {
      double[] cells =
          Arrays.stream(Csv.cells(line))
              .mapToDouble(cell -> cell.isEmpty() ? Double.NaN : Double.parseDouble(cell))
              .toArray();
      add(cells[0], Arrays.copyOfRange(cells, 1, cells.length));
    }
  }
}
