package dev.chatflow.client.result;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The verdict on a run: passed, or why not.
 *
 * @param judged every objective with its result; empty for an interrupted run
 */
public record Verdict(ExitCode exitCode, String headline, List<Objectives.Judged> judged) {

  public Verdict {
    judged = List.copyOf(judged);
  }

  /** Returns a line for each objective. */
  public List<String> objectives() {
    return judged.stream().map(Objectives.Judged::line).toList();
  }

  public boolean passed() {
    return exitCode == ExitCode.PASSED;
  }

  static Verdict of(RunResult result) {
    if (result.record().interrupted()) {
      return new Verdict(
          ExitCode.INTERRUPTED, "INTERRUPTED  partial results; " + counts(result), List.of());
    }
    List<Objectives.Judged> judged = Objectives.judge(result);
    List<Objectives.Judged> missed =
        judged.stream().filter(objective -> !objective.holds()).toList();
    String difference = difference(result);
    boolean unexplained = !difference.isEmpty() && missed.isEmpty();
    boolean clean = result.findings().isClean(result.allowedDefects());
    if (!clean || unexplained || result.record().gaveUp()) {
      String why = result.record().gaveUp() ? ", " + result.record().ended() : "";
      return new Verdict(
          ExitCode.NOT_VERIFIED, "FAIL  " + counts(result) + difference + why, judged);
    }
    if (result.isSaturated()) {
      String headline = "SATURATED  the client was the bottleneck; do not trust the figures";
      return new Verdict(ExitCode.SATURATED, headline, judged);
    }
    if (!missed.isEmpty()) {
      String lines = missed.stream().map(Objectives.Judged::line).collect(Collectors.joining(", "));
      return new Verdict(ExitCode.OBJECTIVE_MISSED, "FAIL  objective missed: " + lines, judged);
    }
    return new Verdict(ExitCode.PASSED, "PASS  " + proof(result) + notProved(result), judged);
  }

  private static String proof(RunResult result) {
    if (result.plan().workload().listeners() == 0) {
      long accepted = result.record().tally().of(Count.TEXTS_ECHOED);
      return "every one of "
          + Numbers.whole(accepted)
          + " messages was accepted; there were no"
          + " listeners";
    }
    String count = Numbers.whole(result.record().tally().deliveries());
    return switch (result.plan().judging().level()) {
      case OFF -> count + " deliveries, not verified (--verify off)";
      case COUNT -> count + " deliveries, as many as expected (order and identity not checked)";
      case EXACTLY_ONCE -> "every one of " + count + " deliveries arrived once, in order";
      case TOTAL_ORDER, KEPT_ORDER ->
          "every one of " + count + " deliveries arrived once, in the same order everywhere";
    };
  }

  private static String notProved(RunResult result) {
    long left = result.record().tally().of(Count.QUIET_COPIES);
    return left == 0
        ? ""
        : "; JOINs and LEAVEs were not checked, because large rooms do not send them to others";
  }

  private static String counts(RunResult result) {
    Findings findings = result.findings();
    List<String> parts = new ArrayList<>();
    parts.add("lost " + Numbers.whole(findings.count(Defect.LOST)) + ofExpected(result));
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

  private static String ofExpected(RunResult result) {
    if (!result.isExact()) {
      return "";
    }
    long expected = result.expectedDeliveries();
    double share = (double) result.findings().count(Defect.LOST) / expected;
    return " of " + Numbers.whole(expected) + " (" + Numbers.percent(share) + ")";
  }

  /** Returns the difference to the expected count; empty if it agrees. */
  private static String difference(RunResult result) {
    long delivered = result.record().tally().deliveries();
    long expected = result.expectedDeliveries();
    return !result.isExact() || delivered == expected
        ? ""
        : ", delivered %s of %s expected"
            .formatted(Numbers.whole(delivered), Numbers.whole(expected));
  }
}
