package dev.chatflow.client.result;

import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a run. Immutable.
 *
 * @param name its path in {@code summary.json}; figures without a dot are not in it
 * @param alias a shorter name in objectives; empty for none
 * @param label name for people
 * @param displays tables that show it; JSON and objectives have every figure
 * @param getter returns its value; {@code NaN} if unknown
 */
public record Figure(
    String name,
    String alias,
    String label,
    Unit unit,
    Set<Display> displays,
    ToDoubleFunction<RunResult> getter) {

  /** A table or list with selected figures. */
  public enum Display {
    /** Headline of text and page. */
    HEADLINE,
    /** Headline if it is not 0. */
    IF_ANY,
    /** Figures about the client itself. */
    TRUST,
    /** A column of a sweep, with its own chart. */
    SWEEP,
    /** A column of a search. */
    STEP,
    /** A column of the log of runs. */
    INDEX,
    /** A row of a comparison. */
    COMPARE
  }

  Figure alias(String other) {
    return new Figure(name, other, label, unit, displays, getter);
  }

  /** Returns the figure that is unknown in other runs. */
  Figure onlyIf(Predicate<RunResult> applies) {
    return new Figure(
        name,
        alias,
        label,
        unit,
        displays,
        run -> applies.test(run) ? getter.applyAsDouble(run) : Double.NaN);
  }

  Figure in(Display... shown) {
    return new Figure(name, alias, label, unit, Set.of(shown), getter);
  }

  public double of(RunResult result) {
    return getter.applyAsDouble(result);
  }

  /** Returns number and unit; {@code -} if unknown. */
  public String text(RunResult result) {
    return unit.text(of(result));
  }

  /** Returns the part of {@link #name} before its last dot. */
  public String section() {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  /** Returns the part of {@link #name} after its last dot. */
  public String field() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns the name of the CSV column, where times are in milliseconds. */
  public String column() {
    return unit == Unit.LATENCY ? camelCase(label) + "Ms" : field();
  }

  /** Returns the value in the CSV column. */
  public double cell(RunResult result) {
    return inCell(of(result));
  }

  /** Converts a value to the unit of the CSV column. */
  public double inCell(double value) {
    return unit == Unit.LATENCY ? unit.scaled(value) : value;
  }

  /** Returns the column header for people. */
  public String head() {
    return unit.sign().isEmpty() ? label : label + ", " + unit.sign();
  }

  private static String camelCase(String words) {
    StringBuilder joined = new StringBuilder();
    for (String word : words.split(" ", -1)) {
      String rest = word.substring(1);
      joined.append(joined.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + rest);
    }
    return joined.toString();
  }
}
