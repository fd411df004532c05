package dev.chatflow.client.plan;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound that a run must keep: {@code NAME[.STAT] OP VALUE[UNIT]}, such as {@code
 * delivery.p99<250ms}, {@code lost==0} or {@code accepted==attempted}.
 *
 * @param left a figure's name
 * @param right a figure's name or a number; durations in microseconds
 */
public record Objective(String text, String left, String operator, String right) {
  private static final Pattern FORM =
      Pattern.compile("\\s*([a-z_:][a-zA-Z0-9_:.]*)\\s*(<=|>=|==|<|>)\\s*([a-zA-Z0-9_:.]+)\\s*");
  private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(us|ms|s|m|k)?");

  public static final List<Objective> DEFAULTS =
      List.of(
          parse("failed==0"),
          parse("connections.failed==0"),
          parse("connections.lost==0"),
          parse("accepted==attempted"));

  public static Objective parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new InvalidPlan(
          "--slo must be NAME[.STAT] OP VALUE such as delivery.p99<250ms, found " + text);
    }
    return new Objective(
        form.group(1) + " " + form.group(2) + " " + form.group(3),
        form.group(1),
        form.group(2),
        inMicros(form.group(3)));
  }

  /** Whether the two sides keep the bound. */
  public boolean holds(double leftValue, double rightValue) {
    return switch (operator) {
      case "<" -> leftValue < rightValue;
      case "<=" -> leftValue <= rightValue;
      case ">" -> leftValue > rightValue;
      case ">=" -> leftValue >= rightValue;
      default -> leftValue == rightValue;
    };
  }

  private static String inMicros(String value) {
    Matcher number = NUMBER.matcher(value);
    if (!number.matches()) {
      if (Character.isDigit(value.charAt(0))) {
        throw new InvalidPlan("--slo has units us, ms, s, k and m, found " + value);
      }
      return value;
    }
    String unit = number.group(2);
    double factor =
        switch (unit == null ? "" : unit) {
          case "ms" -> 1e3;
          case "s" -> 1e6;
          case "m" -> 1e6;
          case "k" -> 1e3;
          default -> 1;
        };
    return Double.toString(Double.parseDouble(number.group(1)) * factor);
  }
}
