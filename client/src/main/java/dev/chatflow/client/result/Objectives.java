package dev.chatflow.client.result;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.record.Series;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Parses objectives and evaluates them for a run. An objective names a figure, a statistic of a
 * series (by default its p99) or a scraped metric (by default its last value). Stateless.
 */
public final class Objectives {

  /** One objective with its result. */
  public record Judged(Judging.Objective objective, double value, boolean holds) {
    public String line() {
      if (Double.isNaN(value)) {
        return objective.text() + " MISSED (never observed)";
      }
      return objective.text() + (holds ? " ok (" : " MISSED (") + shown() + ")";
    }

    private String shown() {
      Unit unit = unitOf(objective.left()).orElse(Unit.RATIO);
      double seen = unit == Unit.SECONDS ? value / 1e6 : value;
      boolean plain = unit == Unit.RATIO || unit == Unit.SHARE;
      return plain ? Numbers.plain(seen) : unit.text(seen);
    }
  }

  private static final Pattern FORM =
      Pattern.compile("\\s*([a-z_:][a-zA-Z0-9_:.-]*)\\s*(<=|>=|==|<|>)\\s*([^<>=\\s]+)\\s*");
  private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([a-zµ]*)");

  /** The units of times, in microseconds. */
  private static final Map<String, Double> TIME_UNITS =
      Map.of("", 1.0, "us", 1.0, "µs", 1.0, "ms", 1e3, "s", 1e6, "m", 60e6, "h", 3600e6);

  private static final Map<String, Double> NUMBER_UNITS = Map.of("", 1.0, "k", 1e3, "m", 1e6);
  private static final Pattern SERIES =
      Pattern.compile(
          Arrays.stream(Series.values())
                  .map(Series::label)
                  .collect(Collectors.joining("|", "(", ")"))
              + "(?:\\.(p[0-9]+(?:\\.[0-9]+)?|mean|max|min|stddev|count))?");
  private static final Pattern METRIC =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\.(max|mean|min|last|rate))?");

  /** The objectives of every run unless the user clears them. */
  public static final List<Judging.Objective> DEFAULTS =
      List.of(
          parse("failed==0"),
          parse("connections.failed==0"),
          parse("connections.lost==0"),
          parse("accepted==attempted"));

  private Objectives() {}

  /** Parses {@code NAME[.STAT] OP VALUE[UNIT]}, such as {@code delivery.p99<250ms}. */
  public static Judging.Objective parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw CommandFailure.usage(
          "--slo must be NAME[.STAT] OP VALUE such as delivery.p99<250ms, found " + text);
    }
    String left = form.group(1);
    String right = form.group(3);
    Matcher number = NUMBER.matcher(right);
    String value = isNumber(right) ? value(left, number, right) : right;
    return new Judging.Objective(
        left + " " + form.group(2) + " " + right, left, form.group(2), value);
  }

  /** Returns the value to compare, with times in microseconds. */
  private static String value(String left, Matcher number, String right) {
    boolean time = unitOf(left).map(Unit::isTime).orElse(false);
    Double factor =
        number.matches() ? (time ? TIME_UNITS : NUMBER_UNITS).get(number.group(2)) : null;
    if (factor == null) {
      String allowed =
          time
              ? " must be a time in us, ms, s, m (minutes) or h"
              : " must be a number, with k for a thousand and m for a million";
      throw CommandFailure.usage("--slo: " + left + allowed + ", found " + right);
    }
    return Double.toString(Double.parseDouble(number.group(1)) * factor);
  }

  /** Returns the unit of a figure; empty for a scraped metric or an unknown name. */
  private static Optional<Unit> unitOf(String name) {
    Matcher series = SERIES.matcher(name);
    return series.matches()
        ? Optional.of("count".equals(series.group(2)) ? Unit.COUNT : Unit.LATENCY)
        : Figures.named(name).map(Figure::unit);
  }

  /** Rejects objectives without a figure before the run. */
  public static void requireKnown(List<Judging.Objective> objectives, Observing observing) {
    for (Judging.Objective objective : objectives) {
      for (String name : List.of(objective.left(), objective.right())) {
        if (!isKnown(name, observing)) {
          throw CommandFailure.usage(
              "--slo: unknown figure "
                  + name
                  + " (queue.peak, queue.mean and queue.end need --broker, metrics --scrape)");
        }
      }
    }
  }

  private static boolean isKnown(String name, Observing observing) {
    Optional<Figure> figure = Figures.named(name);
    boolean seen =
        figure.isPresent()
            && (observing.broker() != null || !figure.get().section().equals("observed.broker"));
    return seen
        || isNumber(name)
        || SERIES.matcher(name).matches()
        || (!observing.scrapes().isEmpty() && METRIC.matcher(name).matches());
  }

  private static boolean isNumber(String side) {
    return Character.isDigit(side.charAt(0));
  }

  static List<Judged> judge(RunResult result) {
    return result.plan().judging().objectives().stream()
        .map(objective -> {
          double left = value(objective.left(), result);
          return new Judged(
              objective, left, objective.holds(left, value(objective.right(), result)));
        })
        .toList();
  }

  private static double value(String name, RunResult result) {
    if (isNumber(name)) {
      return Double.parseDouble(name);
    }
    Matcher series = SERIES.matcher(name);
    if (series.matches()) {
      return statistic(series, result);
    }
    Optional<Figure> figure = Figures.named(name);
    return figure.isPresent()
        ? figure.get().unit().compared(figure.get().of(result))
        : metric(name, result);
  }

  private static double metric(String name, RunResult result) {
    Matcher form = METRIC.matcher(name);
    return form.matches()
        ? result
            .observations()
            .metric(form.group(1), form.group(2) == null ? "last" : form.group(2))
            .orElse(Double.NaN)
        : Double.NaN;
  }

  private static double statistic(Matcher form, RunResult result) {
    Series series = Series.valueOf(form.group(1).toUpperCase(java.util.Locale.ROOT));
    Histogram histogram = result.record().series().of(series, result.mainClock());
    String statistic = form.group(2) == null ? "p99" : form.group(2);
    return switch (statistic) {
      case "mean" -> histogram.getMean();
      case "max" -> histogram.getMaxValue();
      case "min" -> histogram.getMinValue();
      case "stddev" -> histogram.getStdDeviation();
      case "count" -> histogram.getTotalCount();
      default -> histogram.getValueAtPercentile(Double.parseDouble(statistic.substring(1)));
    };
  }
}
