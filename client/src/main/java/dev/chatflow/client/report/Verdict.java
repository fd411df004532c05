package dev.chatflow.client.report;

import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a run is worth: passed, or why not.
 *
 * @param exitCode 0 passed, 3 an objective missed, 4 verification failed, 6 the client was
 *     saturated, 130 interrupted
 */
public record Verdict(int exitCode, String headline, List<Objectives.Judged> judged) {
  public static final int PASSED = 0;
  public static final int OBJECTIVE_MISSED = 3;
  public static final int NOT_VERIFIED = 4;
  public static final int SATURATED = 6;
  public static final int INTERRUPTED = 130;

  public Verdict {
    judged = List.copyOf(judged);
  }

  List<String> objectives() {
    return judged.stream().map(Objectives.Judged::line).toList();
  }

  public boolean passed() {
    return exitCode == PASSED;
  }

  /** Refuses a plan with an objective that names no figure. */
  public static void requireKnownObjectives(Plan plan, Observing observing) {
    plan.judging().objectives().forEach(objective -> Objectives.requireKnown(objective, observing));
  }

  static Verdict of(RunResult result) {
    List<Objectives.Judged> judged = Objectives.judge(result);
    boolean missed = judged.stream().anyMatch(objective -> !objective.holds());
    String difference = difference(result);
    if (result.record().interrupted()) {
      return new Verdict(INTERRUPTED, "INTERRUPTED  partial results; " + counts(result), judged);
    }
    boolean unexplained = !difference.isEmpty() && !missed;
    boolean clean = result.findings().isClean(result.allowedDefects());
    if (!clean || unexplained || result.record().gaveUp()) {
      String why = result.record().gaveUp() ? ", " + result.record().ended() : "";
      return new Verdict(NOT_VERIFIED, "FAIL  " + counts(result) + difference + why, judged);
    }
    if (result.isSaturated()) {
      return new Verdict(
          SATURATED, "SATURATED  the client was the bottleneck, figures not trustworthy", judged);
    }
    if (missed) {
      String names =
          judged.stream()
              .filter(objective -> !objective.holds())
              .map(Objectives.Judged::line)
              .collect(Collectors.joining(", "));
      return new Verdict(OBJECTIVE_MISSED, "FAIL  objective missed: " + names, judged);
    }
    return new Verdict(PASSED, "PASS  " + proof(result), judged);
  }

  private static String proof(RunResult result) {
    String count = Numbers.whole(result.record().tally().deliveries());
    return switch (result.plan().judging().level()) {
      case OFF -> count + " deliveries, not verified (--verify off)";
      case COUNT -> count + " deliveries, as many as expected (order and identity not checked)";
      case EXACTLY_ONCE -> "every one of " + count + " deliveries arrived once, in order";
      case TOTAL_ORDER ->
          "every one of " + count + " deliveries arrived once, in the same order everywhere";
    };
  }

  private static String counts(RunResult result) {
    Findings findings = result.findings();
    long lost = findings.count(Defect.LOST);
    long expected = result.expected().deliveries();
    List<String> parts = new ArrayList<>();
    parts.add(
        "lost "
            + Numbers.whole(lost)
            + (result.isExact()
                ? " of "
                    + Numbers.whole(expected)
                    + " ("
                    + Numbers.percent((double) lost / expected)
                    + ")"
                : ""));
    parts.add("duplicates " + Numbers.whole(findings.count(Defect.DUPLICATE)));
    parts.add("reordered " + Numbers.whole(findings.count(Defect.REORDERED)));
    for (Defect defect : Defect.values()) {
      boolean always =
          defect == Defect.LOST || defect == Defect.DUPLICATE || defect == Defect.REORDERED;
      if (!always && findings.count(defect) > 0) {
        parts.add(defect.label() + " " + Numbers.whole(findings.count(defect)));
      }
    }
    return String.join(", ", parts);
  }

  /** What the exact count says beyond the ledger; empty when it agrees. */
  private static String difference(RunResult result) {
    long delivered = result.record().tally().deliveries();
    long expected = result.expected().deliveries();
    if (!result.isExact() || delivered == expected) {
      return "";
    }
    return ", delivered "
        + Numbers.whole(delivered)
        + " of "
        + Numbers.whole(expected)
        + " expected";
  }
}
