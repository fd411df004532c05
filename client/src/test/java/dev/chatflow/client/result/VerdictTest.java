package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class VerdictTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          EXACTLY_ONCE | PASS  every one of 384 deliveries arrived once, in order
          TOTAL_ORDER  | PASS  every one of 384 deliveries arrived once, in the same order everywhere
          COUNT        | PASS  384 deliveries, as many as expected (order and identity not checked)
          OFF          | PASS  384 deliveries, not verified (--verify off)
          """)
  void headlineStatesWhatWasVerified(Judging.Level level, String headline) {
    is(Changed.run("closed").level(level), ExitCode.PASSED, headline);
  }

  @Test
  void runWithoutListenersVerifiesItsResponses() {
    is(
        Changed.run("skier"),
        ExitCode.PASSED,
        "PASS  every one of 160,001 messages was accepted; there were no listeners");
  }

  @ParameterizedTest
  @EnumSource(Defect.class)
  void everyDefectFailsTheRunAndIsNamed(Defect defect) {
    Verdict verdict = Changed.run("closed").found(defect, 3).result().verdict();
    assertThat(verdict.exitCode()).isEqualTo(ExitCode.NOT_VERIFIED);
    String many = defect == Defect.DUPLICATE ? "duplicates 3" : defect.label() + " 3";
    assertThat(verdict.headline()).startsWith("FAIL  lost ").contains(many);
  }

  @Test
  void duplicatesOfResentMessagesMayBeAllowed() {
    is(
        Changed.run("closed").found(Defect.RETRY_DUPLICATE, 3).allowRetryDuplicates(),
        ExitCode.PASSED,
        "PASS  every one of 384 deliveries arrived once, in order");
  }

  @Test
  void countThatDiffersFromThePlanFailsEvenWithoutDefects() {
    is(
        Changed.run("closed").count(Count.JOIN_DELIVERIES, -2),
        ExitCode.NOT_VERIFIED,
        "FAIL  lost 0 of 384 (0.0000%), duplicates 0, reordered 0, delivered 382 of 384 expected");
  }

  @Test
  void copiesOmittedByQuietRoomsAreReportedAsUnchecked() {
    is(
        Changed.run("closed").count(Count.JOIN_DELIVERIES, -2).count(Count.QUIET_COPIES, 2),
        ExitCode.PASSED,
        "PASS  every one of 382 deliveries arrived once, in order"
            + "; JOINs and LEAVEs were not checked, because large rooms do not send them to"
            + " others");
  }

  @Test
  void missedObjectiveTakesPrecedenceOverADifferentCount() {
    is(
        Changed.run("closed")
            .count(Count.JOIN_DELIVERIES, -2)
            .count(Count.CONNECTIONS_FAILED, 1)
            .objectives("connections.failed==0"),
        ExitCode.OBJECTIVE_MISSED,
        "FAIL  objective missed: connections.failed == 0 MISSED (1)");
  }

  @Test
  void drainThatGaveUpFails() {
    is(
        Changed.run("open").gaveUp("drain gave up after 30 s without a delivery"),
        ExitCode.NOT_VERIFIED,
        "FAIL  lost 0, duplicates 0, reordered 0, drain gave up after 30 s without a delivery");
  }

  @Test
  void interruptedRunIsNeitherJudgedNorComparedWithItsPlan() {
    Verdict verdict =
        Changed.run("closed")
            .count(Count.TEXT_DELIVERIES, -100)
            .objectives("failed==1")
            .interrupted()
            .result()
            .verdict();
    assertThat(verdict.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(verdict.headline())
        .isEqualTo("INTERRUPTED  partial results; lost 0, duplicates 0, reordered 0");
    assertThat(verdict.objectives()).isEmpty();
  }

  @Test
  void clientThatMissesItsScheduleIsSaturated() {
    is(
        saturated("open"),
        ExitCode.SATURATED,
        "SATURATED  the client was the bottleneck; do not trust the figures");
  }

  @Test
  void onlyTheOpenModelFailsAsSaturated() {
    assertThat(saturated("closed").result().verdict().exitCode()).isEqualTo(ExitCode.PASSED);
    assertThat(saturated("closed").result().isBottleneck()).as("reported only").isTrue();
  }

  @Test
  void lossesTakePrecedenceOverASaturatedClient() {
    assertThat(saturated("open").found(Defect.LOST, 1).result().verdict().exitCode())
        .isEqualTo(ExitCode.NOT_VERIFIED);
  }

  private static Changed saturated(String name) {
    Changed run = Changed.run(name);
    long intervals = run.result().record().tally().of(Count.INTERVALS);
    return run.count(Count.SATURATED_INTERVALS, intervals + 3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delivery.p99<10ms      | delivery.p99 < 10ms MISSED (29.2 ms)
          delivery.p99<30ms      | delivery.p99 < 30ms ok (29.2 ms)
          delivery<30ms          | delivery < 30ms ok (29.2 ms)
          delivery.count==1320   | delivery.count == 1320 ok (1,320)
          delivery.mean<1us      | delivery.mean < 1us MISSED (2.8 ms)
          accepted.rate>500      | accepted.rate > 500 MISSED (436/s)
          rates.windowSeconds<2s | rates.windowSeconds < 2s ok (1.0 s)
          lost==0                | lost == 0 ok (0)
          client.busyShare<0.5   | client.busyShare < 0.5 ok (0.141)
          rates.fanOut>=3        | rates.fanOut >= 3 ok (3)
          queue.peak<1000        | queue.peak < 1000 MISSED (never observed)
          recovery.p99<1s        | recovery.p99 < 1s ok (0.0 ms)
          chat_lag.max<1         | chat_lag.max < 1 MISSED (never observed)
          """)
  void objectiveIsShownWithItsValueAndUnit(String text, String line) {
    assertThat(Changed.run("open").objectives(text).result().verdict().objectives())
        .containsExactly(line);
  }

  @ParameterizedTest
  @CsvSource({
    "queue.peak<1000, queue.peak < 1000 ok (212)",
    "queue.end==0, queue.end == 0 ok (0)",
    "chat_queue_depth<=5, chat_queue_depth <= 5 ok (5)",
    "chat_queue_depth.mean<3, chat_queue_depth.mean < 3 MISSED (4)",
    "chat_lag_seconds.max<0.5, chat_lag_seconds.max < 0.5 ok (0.02)",
  })
  void observedFiguresCanBeObjectives(String text, String line) {
    var seen = dev.chatflow.client.fake.StoredRuns.observed().result().observations();
    assertThat(
            Changed.run("open").observations(seen).objectives(text).result().verdict().objectives())
        .containsExactly(line);
  }

  private static void is(Changed run, ExitCode code, String headline) {
    Verdict verdict = run.result().verdict();
    assertThat(verdict.exitCode()).isEqualTo(code);
    assertThat(verdict.headline()).isEqualTo(headline);
    assertThat(verdict.passed()).isEqualTo(code == ExitCode.PASSED);
  }

  @Test
  void stepOfASearchIsOpenEvenIfItsPlanWasClosed() {
    assertThat(Changed.run("closed").pacing(Pacing.open(10, 1, false)).result().hasTwoClocks())
        .isTrue();
  }
}
