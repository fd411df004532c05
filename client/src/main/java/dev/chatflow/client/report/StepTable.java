package dev.chatflow.client.report;

import dev.chatflow.client.plan.Objective;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The steps of a search for the highest rate, as lines of a table. One thread. */
public final class StepTable {
  private static final double ACHIEVED = 0.99;

  /** One step. */
  public record Row(
      double rate,
      double achieved,
      double deliveries,
      double p50Millis,
      double p99Millis,
      boolean isClientTheLimit,
      String failure) {

    public boolean passes() {
      return failure.isEmpty();
    }

    public String line(boolean confirming) {
      String verdict =
          isClientTheLimit ? "inconclusive: client saturated" : passes() ? "ok" : "FAIL " + failure;
      return String.format(
          Locale.ROOT,
          "  %,9.0f  %,9.0f  %,12.0f  %,9.1f  %,9.1f  %s%s",
          rate,
          achieved,
          deliveries,
          p50Millis,
          p99Millis,
          verdict,
          confirming ? " (confirming)" : "");
    }
  }

  private final List<Row> rows = new ArrayList<>();

  public static String head(Plan plan) {
    String objectives =
        plan.judging().objectives().stream().map(Objective::text).collect(Collectors.joining(", "));
    return "find-max   SLO "
        + objectives
        + "\n     rate/s   achieved  deliveries/s     p50 ms     p99 ms  verdict";
  }

  /**
   * The row of a finished step.
   *
   * @param backlogGrowth of messages in flight, per second, at the end of the step
   */
  public static Row row(double rate, RunResult result, double backlogGrowth) {
    Verdict verdict = result.verdict();
    double achieved = result.acceptedPerSecond();
    String failure = "";
    if (!verdict.passed() && verdict.exitCode() != Verdict.SATURATED) {
      failure = verdict.headline().replaceFirst("^FAIL  ", "");
    } else if (achieved < rate * ACHIEVED) {
      failure = String.format(Locale.ROOT, "achieved %.0f%%", achieved * 100 / rate);
    } else if (backlogGrowth > rate * (1 - ACHIEVED)) {
      failure = String.format(Locale.ROOT, "backlog grows by %,.0f/s", backlogGrowth);
    }
    Clock clock = result.mainClock();
    return new Row(
        rate,
        achieved,
        result.deliveriesPerSecond(),
        result.record().series().of(Series.DELIVERY, clock).getValueAtPercentile(50) / 1e3,
        result.deliveryPercentile(99) / 1e3,
        verdict.exitCode() == Verdict.SATURATED,
        failure);
  }

  public void add(Row row) {
    rows.add(row);
  }

  public String summary(double highest, int confirmed, boolean inconclusive) {
    if (highest == 0) {
      return "no rate passed";
    }
    double deliveries =
        rows.stream()
            .filter(row -> row.passes() && row.rate <= highest)
            .mapToDouble(Row::deliveries)
            .max()
            .orElse(0);
    return String.format(
        Locale.ROOT,
        "max %s%,.0f msg/s = %,.0f deliveries/s   confirmed %dx   knee ~%,.0f",
        inconclusive ? "at least " : "",
        highest,
        deliveries,
        confirmed,
        knee());
  }

  /** The highest rate whose p99 is within three times that of the lowest rate. */
  private double knee() {
    double base = rows.getFirst().p99Millis;
    return rows.stream()
        .filter(row -> row.passes() && row.p99Millis <= 3 * base)
        .mapToDouble(Row::rate)
        .max()
        .orElse(0);
  }
}
