package dev.chatflow.client.result;

import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * One number that a run yields. Immutable.
 *
 * @param name its place in {@code summary.json}; without a dot it is not there
 * @param alias a shorter name in objectives; empty for none
 * @param label what people read
 * @param places where it is shown beside JSON and objectives, which know every figure
 * @param getter {@code NaN} where it was not seen
 */
public record Figure(
    String name,
    String alias,
    String label,
    Unit unit,
    Set<Place> places,
    ToDoubleFunction<RunResult> getter) {

  /** A table or list that chooses its figures. */
  public enum Place {
    /** Headline of text and page. */
    HEADLINE,
    /** The same, when it is not 0. */
    IF_ANY,
    /** What the client says of itself. */
    TRUST,
    /** A column of a sweep, with a picture of its own. */
    SWEEP,
    /** A column of a search. */
    STEP,
    /** A column of the log of runs. */
    INDEX,
    /** A row of a comparison. */
    COMPARE
  }

  Figure alias(String other) {
    return new Figure(name, other, label, unit, places, getter);
  }

  Figure in(Place... shown) {
    return new Figure(name, alias, label, unit, Set.of(shown), getter);
  }

  public double of(RunResult result) {
    return getter.applyAsDouble(result);
  }

  /** Number and unit, {@code -} where it was not seen. */
  public String text(RunResult result) {
    return unit.text(of(result));
  }

  /** The part of {@link #name} before its last dot. */
  public String section() {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  /** The part of {@link #name} behind its last dot. */
  public String field() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Name of a column in CSV; times are there in milliseconds. */
  public String column() {
    return unit == Unit.LATENCY ? camelCase(label) + "Ms" : field();
  }

  /** The value of that column. */
  public double cell(RunResult result) {
    return inCell(of(result));
  }

  /** A value of this figure as that column has it. */
  public double inCell(double value) {
    return unit == Unit.LATENCY ? unit.scaled(value) : value;
  }

  /** What stands above a column for people. */
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
