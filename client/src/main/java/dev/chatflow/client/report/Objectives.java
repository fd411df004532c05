package dev.chatflow.client.report;

import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Objective;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.verify.Defect;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** Compares a run with its objectives. Immutable. */
final class Objectives {

  /** One objective and what came of it. */
  record Judged(Objective objective, double value, boolean holds) {
    String line() {
      return objective.text() + (holds ? " ok (" : " MISSED (") + brief(value) + ")";
    }

    private static String brief(double value) {
      return value == Math.rint(value)
          ? Numbers.whole((long) value)
          : String.format(Locale.ROOT, "%.1f", value);
    }
  }

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
    counters.put("deliveries.rate", result.perSecond(tally.textDeliveries));
    counters.put("accepted.rate", result.perSecond(tally.textsEchoed));
    for (Defect defect : Defect.values()) {
      put(defect.label().replace("-", ""), result.findings().count(defect));
    }
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
    return series(name)
        .orElseThrow(() -> new InvalidPlan("--slo names no figure of a run: " + name));
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

  private void put(String name, long value) {
    counters.put(name, (double) value);
  }

  /** Lost connections that were not opened again; those the client dropped itself count too. */
  private static long notMended(Tally tally) {
    return Math.max(0, tally.connectionsLost + tally.dropped - tally.reconnections);
  }
}
