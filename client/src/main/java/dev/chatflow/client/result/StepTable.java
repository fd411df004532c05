package dev.chatflow.client.result;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The steps of a search for the highest rate, as lines of a table. One thread. */
public final class StepTable {
  private static final double ACHIEVED = 0.99;
  private static final List<Figure> FIGURES = Figures.in(Figure.Display.STEP);

  /**
   * One step.
   *
   * @param failure why the rate is too high; empty if it is not
   */
  public record Row(
      double rate,
      List<String> figures,
      double deliveries,
      double p99Micros,
      boolean isClientTheLimit,
      String failure) {

    public Row {
      figures = List.copyOf(figures);
    }

    public boolean passes() {
      return failure.isEmpty();
    }

    public String line(boolean confirming) {
      String verdict =
          isClientTheLimit ? "inconclusive: client saturated" : passes() ? "ok" : "FAIL " + failure;
      String cells =
          figures.stream()
              .map(cell -> String.format(Locale.ROOT, "  %16s", cell))
              .collect(Collectors.joining());
      String note = confirming ? " (confirming)" : "";
      return String.format(Locale.ROOT, "  %,9.0f%s  %s%s", rate, cells, verdict, note);
    }
  }

  private final List<Row> rows = new ArrayList<>();

  public static String head(Plan plan) {
    String objectives =
        plan.judging().objectives().stream()
            .map(Judging.Objective::text)
            .collect(Collectors.joining(", "));
    String cells =
        FIGURES.stream()
            .map(figure -> String.format(Locale.ROOT, "  %16s", figure.head()))
            .collect(Collectors.joining());
    return "find-max   SLO " + objectives + "\n     rate/s" + cells + "  verdict";
  }

  /**
   * Returns the row of a finished step.
   *
   * @param backlogGrowth growth of messages in flight, per second, at the end of the step
   */
  public static Row row(double rate, RunResult result, double backlogGrowth) {
    Verdict verdict = result.verdict();
    double achieved = result.acceptedPerSecond();
    String failure = "";
    if (!verdict.passed() && verdict.exitCode() != ExitCode.SATURATED) {
      failure = verdict.headline().replaceFirst("^FAIL  ", "");
    } else if (achieved < rate * ACHIEVED) {
      failure = String.format(Locale.ROOT, "achieved %.0f%%", achieved * 100 / rate);
    } else if (backlogGrowth > rate * (1 - ACHIEVED)) {
      failure = String.format(Locale.ROOT, "backlog grows by %,.0f/s", backlogGrowth);
    }
    return new Row(
        rate,
        FIGURES.stream().map(figure -> figure.unit().number(figure.of(result))).toList(),
        result.deliveriesPerSecond(),
        result.delivery(99),
        verdict.exitCode() == ExitCode.SATURATED,
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

  /** Returns the highest rate whose p99 is at most three times the p99 of the lowest rate. */
  private double knee() {
    double base = rows.getFirst().p99Micros;
    return rows.stream()
        .filter(row -> row.passes() && row.p99Micros <= 3 * base)
        .mapToDouble(Row::rate)
        .max()
        .orElse(0);
  }
}
