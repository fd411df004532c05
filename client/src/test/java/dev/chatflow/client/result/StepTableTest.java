package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the table of steps of a search for the maximum rate. */
final class StepTableTest {
  private final StepTable table = new StepTable();

  private static StepTable.Row row(double rate, Changed run) {
    return StepTable.row(rate, run.result(), 0);
  }

  @Test
  void headNamesObjectivesAndColumns() {
    String head =
        StepTable.head(
            new TestPlan().objectives(List.of(Objectives.parse("delivery.p99<30ms"))).build());
    assertThat(head)
        .startsWith("find-max   SLO delivery.p99 < 30ms\n     rate/s")
        .contains("accepted, /s", "delivery p99, ms")
        .endsWith("  verdict");
  }

  @Test
  void passedStepShowsItsFigures() {
    StepTable.Row row = row(436, Changed.run("open"));
    assertThat(row.passes()).isTrue();
    assertThat(row.line(false))
        .isEqualTo(
            "        436               436             1,307               1.2             "
                + " 29.2  ok");
    assertThat(row.line(true)).endsWith("  ok (confirming)");
  }

  /** Uses the unit of the objective instead of microseconds. */
  @Test
  void missedObjectiveIsShownInItsUnit() {
    StepTable.Row row = row(436, Changed.run("open").objectives("delivery.p99<10ms"));
    assertThat(row.passes()).isFalse();
    assertThat(row.line(false))
        .endsWith("  FAIL objective missed: delivery.p99 < 10ms MISSED (29.2 ms)");
  }

  @Test
  void rateThatWasNotReachedFails() {
    assertThat(row(500, Changed.run("open")).line(false)).endsWith("  FAIL achieved 87%");
  }

  @Test
  void growingBacklogFailsDespiteLowLatencies() {
    assertThat(StepTable.row(436, Changed.run("open").result(), 250).line(false))
        .endsWith("  FAIL backlog grows by 250/s");
  }

  @Test
  void lossFailsAtAnyRate() {
    assertThat(row(436, Changed.run("open").found(Defect.LOST, 3)).line(false))
        .contains("FAIL lost 3");
  }

  @Test
  void stepOfASaturatedClientIsInconclusive() {
    Changed run = Changed.run("open");
    long intervals = run.result().record().tally().of(Count.INTERVALS);
    StepTable.Row row = row(436, run.count(Count.SATURATED_INTERVALS, intervals + 3));
    assertThat(row.isClientTheLimit()).isTrue();
    assertThat(row.line(false)).endsWith("  inconclusive: client saturated");
  }

  @Test
  void summaryNamesRateDeliveriesAndKnee() {
    table.add(row(200, Changed.run("open")));
    table.add(row(436, Changed.run("open")));
    table.add(row(500, Changed.run("open")));
    assertThat(table.summary(436, 2, false))
        .isEqualTo("max 436 msg/s = 1,307 deliveries/s   confirmed 2x   knee ~436");
    assertThat(table.summary(436, 0, true)).startsWith("max at least 436 msg/s");
    assertThat(table.summary(0, 0, false)).isEqualTo("no rate passed");
  }
}
