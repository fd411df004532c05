package dev.chatflow.client.report;

import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Objective;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.verify.Defect;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Compares a run with its objectives. Immutable. */
public final class Objectives {

  /** One objective and what came of it. */
  public record Judged(Objective objective, double value, boolean holds) {
    public String line() {
      if (Double.isNaN(value)) {
        return objective.text() + " MISSED (never seen)";
      }
      return objective.text() + (holds ? " ok (" : " MISSED (") + brief(value) + ")";
    }

    private static String brief(double value) {
      return value == Math.rint(value)
          ? Numbers.whole((long) value)
          : String.format(Locale.ROOT, "%.1f", value);
    }
  }

  private static final Set<String> COUNTERS =
      Stream.concat(
              Stream.of(
                  "failed",
                  "rejected",
                  "retries",
                  "accepted",
                  "attempted",
                  "connections.failed",
                  "connections.lost",
                  "reconnections",
                  "delivered",
                  "deliveries.rate",
                  "accepted.rate"),
              Arrays.stream(Defect.values()).map(Objectives::nameOf))
          .collect(Collectors.toUnmodifiableSet());

  private static final Pattern QUEUE = Pattern.compile("queue\\.(peak|mean|end)");
  private static final Pattern METRIC =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\.(max|mean|min|last|rate))?");

  private final RunResult result;
  private final Map<String, Double> counters = new HashMap<>();

  private Objectives(RunResult result) {
    this.result = result;
    Tally tally = result.record().tally();
    put("failed", tally.textsUnsent);
    put("rejected", tally.rejected);
    put("retries", tally.retries);
    put("accepted", tally.textsEchoed);
    put("attempted", tally.textsWritten + tally.textsUnsent);
    put("connections.failed", tally.connectionsFailed);
    put("connections.lost", notMended(tally));
    put("reconnections", tally.reconnections);
    put("delivered", tally.deliveries());
    counters.put("deliveries.rate", result.deliveriesPerSecond());
    counters.put("accepted.rate", result.acceptedPerSecond());
    for (Defect defect : Defect.values()) {
      put(nameOf(defect), result.findings().count(defect));
    }
  }

  /** Refuses an objective that names no figure, before a run is made for it. */
  static void requireKnown(Objective objective, Observing observing) {
    for (String name : List.of(objective.left(), objective.right())) {
      boolean known =
          name.matches("[0-9].*")
              || COUNTERS.contains(name)
              || isSeries(name)
              || (observing.broker() != null && QUEUE.matcher(name).matches())
              || (!observing.scrapes().isEmpty() && METRIC.matcher(name).matches());
      if (!known) {
        throw unknown(name);
      }
    }
  }

  private static boolean isSeries(String name) {
    return name.matches(
        "("
            + Arrays.stream(Series.values()).map(Series::label).collect(Collectors.joining("|"))
            + ")(\\.(p[0-9]+(\\.[0-9]+)?|mean|max|min|stddev|count))?");
  }

  private static InvalidPlan unknown(String name) {
    return new InvalidPlan(
        "--slo names no figure of a run: "
            + name
            + " (queue.peak, queue.mean and queue.end need --broker, metrics --scrape)");
  }

  static List<Judged> judge(RunResult result) {
    Objectives figures = new Objectives(result);
    return result.plan().judging().objectives().stream().map(figures::judge).toList();
  }

  private Judged judge(Objective objective) {
    double left = value(objective.left());
    return new Judged(objective, left, objective.holds(left, value(objective.right())));
  }

  private double value(String name) {
    if (name.matches("[0-9].*")) {
      return Double.parseDouble(name);
    }
    Double counter = counters.get(name);
    if (counter != null) {
      return counter;
    }
    return Stream.of(series(name), queue(name), metric(name))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .findFirst()
        .orElse(Double.NaN);
  }

  private OptionalDouble queue(String name) {
    if (!QUEUE.matcher(name).matches() || result.observations().broker() == null) {
      return OptionalDouble.empty();
    }
    if (name.equals("queue.end")) {
      long left = result.observations().broker().left();
      return left < 0 ? OptionalDouble.empty() : OptionalDouble.of((double) left);
    }
    return result.queueDepth(name.substring(name.indexOf('.') + 1));
  }

  /** A scraped metric, by default its last value. */
  private OptionalDouble metric(String name) {
    Matcher form = METRIC.matcher(name);
    return form.matches()
        ? result
            .observations()
            .metric(form.group(1), form.group(2) == null ? "last" : form.group(2))
        : OptionalDouble.empty();
  }

  private OptionalDouble series(String name) {
    int dot = name.indexOf('.');
    String statistic = dot < 0 ? "p99" : name.substring(dot + 1);
    for (Series series : Series.values()) {
      if (series.label().equals(dot < 0 ? name : name.substring(0, dot))) {
        return statistic(result.record().series().of(series, result.mainClock()), statistic);
      }
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble statistic(Histogram histogram, String name) {
    if (name.matches("p[0-9]+(\\.[0-9]+)?")) {
      return OptionalDouble.of(
          (double) histogram.getValueAtPercentile(Double.parseDouble(name.substring(1))));
    }
    return switch (name) {
      case "mean" -> OptionalDouble.of(histogram.getMean());
      case "max" -> OptionalDouble.of((double) histogram.getMaxValue());
      case "min" -> OptionalDouble.of((double) histogram.getMinValue());
      case "stddev" -> OptionalDouble.of(histogram.getStdDeviation());
      case "count" -> OptionalDouble.of((double) histogram.getTotalCount());
      default -> OptionalDouble.empty();
    };
  }

  private static String nameOf(Defect defect) {
    return defect.label().replace("-", "");
  }

  private void put(String name, long value) {
    counters.put(name, (double) value);
  }

  /** Losses after which the user did not come back; those the client dropped itself count too. */
  private static long notMended(Tally tally) {
    long losses = tally.connectionsLost - tally.lostAgain + tally.dropped;
    return Math.max(0, losses - tally.reconnections);
  }
}
