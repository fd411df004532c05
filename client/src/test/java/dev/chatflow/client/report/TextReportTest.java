package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.Golden;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the text report of runs of every kind. */
final class TextReportTest {
  @ParameterizedTest
  @ValueSource(strings = {"open", "closed", "skier"})
  void reportOfAStoredRunIsUnchanged(String name) {
    Golden.matches(name + ".txt", TextReport.of(StoredRuns.read(name).result()));
  }

  @Test
  void reportIncludesObservations() {
    Golden.matches("observed.txt", TextReport.of(StoredRuns.observed().result()));
  }

  @Test
  void detailsNameEveryRoomAndConnection() {
    Golden.matches("details.txt", TextReport.details(StoredRuns.read("closed").result()));
  }

  @Test
  void defectsFollowTheHeadlineWithTheirFirstExamples() {
    String text =
        TextReport.of(
            Changed.run("closed").found(Defect.LOST, 9).found(Defect.CORRUPT, 1).result());
    assertThat(text)
        .startsWith("FAIL  lost 9 of 384 (2.3%), duplicates 0, reordered 0, corrupt 1\n")
        .contains(
            "  lost       sender 2 seq 7 -> receiver 0 (room 1)  written 1.234 s, echo none\n",
            "  corrupt    sender 2 seq 7 -> receiver 0 (room 1)");
    assertThat(text.lines().filter(line -> line.startsWith("  lost  "))).hasSize(5);
  }

  @Test
  void interruptedRunIsNotJudgedAndUntriedTextsAreNotFailures() {
    String text =
        TextReport.of(
            Changed.run("closed").interrupted().count(Count.TEXTS_UNTRIED, 387_092).result());
    assertThat(text)
        .startsWith("INTERRUPTED  partial results; lost 0, duplicates 0, reordered 0\n")
        .contains(
            "failed messages                             0",
            "messages not attempted                387,092",
            "  objectives     not evaluated: the run was interrupted\n")
        .doesNotContain("MISSED");
  }

  @Test
  void failuresAreListedByKind() {
    Changed run = Changed.run("closed");
    for (int millis = 1_000; millis < 1_200; millis++) {
      run.result()
          .record()
          .tally()
          .failure("connection lost: 1001 reconnect after " + millis + " ms");
    }
    run.result().record().tally().lostConnection(1001, false, false);
    run.result().record().tally().rejected("RATE_LIMITED");
    assertThat(TextReport.of(run.result()))
        .contains(
            "  failure connection lost: 1001 reconnect after N ms x 200\n",
            "  Refused          RATE_LIMITED 1\n",
            "  Close codes      1001 1\n");
  }

  @Test
  void burstReportNotesThatLatenciesIncludeTheBacklog() {
    assertThat(TextReport.of(Changed.run("closed").pacing(Pacing.burst()).result()))
        .contains("note: burst model - latency includes the client's own backlog");
  }

  @Test
  void saturatedCpuIsAWarningAndNotAFailure() {
    Changed run = Changed.run("open");
    long intervals = run.result().record().tally().of(Count.INTERVALS);
    String text = TextReport.of(run.count(Count.STARVED_INTERVALS, intervals + 3).result());
    assertThat(text)
        .startsWith("PASS")
        .contains("WARNING  CPU was saturated: latencies include scheduling delay");
  }
}
