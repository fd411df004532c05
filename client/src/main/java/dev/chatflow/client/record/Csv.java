package dev.chatflow.client.record;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes comma-separated values by RFC 4180: cells with a comma, a quote or a line break are
 * quoted. Belongs to one thread.
 */
public final class Csv {

  /** The number of decimals that distinguishes every double. */
  static final int ALL = -1;

  private static final int DIGITS = 3;

  /** A column: its name and its cell for each row. */
  public record Column<T>(String name, Function<T, ?> cell) {}

  private final StringBuilder out = new StringBuilder();

  /** Starts with the names of the columns. */
  public Csv(List<String> columns) {
    row(columns);
  }

  public Csv row(Object... cells) {
    return row(List.of(cells));
  }

  public Csv row(List<?> cells) {
    out.append(line(cells));
    return this;
  }

  public static <T> Column<T> column(String name, Function<T, ?> cell) {
    return new Column<>(name, cell);
  }

  /** Returns a table with one row per element. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <T> String of(List<T> things, Column<T>... columns) {
    Csv csv = new Csv(Arrays.stream(columns).map(Column::name).toList());
    things.forEach(
        thing -> csv.row(Arrays.stream(columns).map(one -> one.cell.apply(thing)).toList()));
    return csv.toString();
  }

  /** Returns a row with its line end. */
  public static String line(List<?> cells) {
    return line(cells, DIGITS);
  }

  /**
   * Returns a row with a given number of decimals.
   *
   * @param digits maximum decimals, or {@link #ALL}
   */
  static String line(List<?> cells, int digits) {
    return cells.stream()
        .map(cell -> text(cell, digits))
        .collect(Collectors.joining(",", "", "\n"));
  }

  /** Returns the names and the rows. */
  @Override
  public String toString() {
    return out.toString();
  }

  /** Splits a line without quotes, such as one of numbers. */
  public static String[] cells(String line) {
    return line.split(",", -1);
  }

  private static String text(Object cell, int digits) {
    String text = cell instanceof Double number ? number(number, digits) : String.valueOf(cell);
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** Returns a number; empty for NaN. */
  private static String number(double value, int digits) {
    if (Double.isNaN(value)) {
      return "";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return digits == ALL
        ? Double.toString(value)
        : String.format(Locale.ROOT, "%." + digits + "f", value).replaceFirst("\\.?0+$", "");
  }
}
