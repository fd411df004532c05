package dev.chatflow.client.record;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rows of comma-separated values as RFC 4180 has them: a cell with a comma, a quote or a line break
 * stands in quotes. Belongs to one thread.
 */
public final class Csv {

  /** As many digits behind the point as tell one double from the next. */
  static final int ALL = -1;

  private static final int DIGITS = 3;

  /** What stands below a name. */
  public record Column<T>(String name, Function<T, ?> cell) {}

  private final StringBuilder out = new StringBuilder();

  /** Begins with the names of the columns. */
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

  /** A table of things, one a row. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <T> String of(List<T> things, Column<T>... columns) {
    Csv csv = new Csv(Arrays.stream(columns).map(Column::name).toList());
    things.forEach(
        thing -> csv.row(Arrays.stream(columns).map(one -> one.cell.apply(thing)).toList()));
    return csv.toString();
  }

  /** One row with its line end. */
  public static String line(List<?> cells) {
    return line(cells, DIGITS);
  }

  /**
   * The same with other digits.
   *
   * @param digits at most so many behind the point; or {@link #ALL}
   */
  static String line(List<?> cells, int digits) {
    return cells.stream()
        .map(cell -> text(cell, digits))
        .collect(Collectors.joining(",", "", "\n"));
  }

  /** The rows, the names first. */
  @Override
  public String toString() {
    return out.toString();
  }

  /** A line without quotes in its cells, such as one of numbers. */
  public static String[] cells(String line) {
    return line.split(",", -1);
  }

  private static String text(Object cell, int digits) {
    String text = cell instanceof Double number ? number(number, digits) : String.valueOf(cell);
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** Nothing for what is no number. */
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
