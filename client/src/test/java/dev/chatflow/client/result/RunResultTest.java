package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatflow.client.fake.Changed;
import dev.chatflow.client.fake.StoredRuns;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Pacing.Stage;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the values derived from the counts and histograms of a run. */
final class RunResultTest {
  private final RunResult open = StoredRuns.read("open").result();
  private final RunResult closed = StoredRuns.read("closed").result();

  @Test
  void openModelHasTwoClocksAndUsesResponseTimes() {
    assertThat(open.hasTwoClocks()).isTrue();
    assertThat(open.mainClock()).isEqualTo(Clock.RESPONSE);
    assertThat(closed.hasTwoClocks()).isFalse();
    assertThat(closed.mainClock()).isEqualTo(Clock.SERVICE);
    assertThat(open.delivery(99))
        .isGreaterThan(open.service(dev.chatflow.client.record.Series.DELIVERY, 99));
  }

  @Test
  void ratesRelateToTheRecordedWindow() {
    double window = closed.windowSeconds();
    assertThat(closed.acceptedPerSecond()).isCloseTo(120 / window, within(1e-6));
    assertThat(closed.deliveriesPerSecond()).isCloseTo(360 / window, within(1e-6));
    assertThat(closed.textFanOut()).isEqualTo(3);
    assertThat(closed.totalSeconds()).isGreaterThan(window);
  }

  @Test
  void expectedCopiesComeFromThePlanOrTheLedger() {
    assertThat(closed.copiesExpected()).isEqualTo(384);
    assertThat(Changed.run("open").found(Defect.LOST, 5).result().copiesExpected())
        .isEqualTo(1_464 + 5);
  }

  @Test
  void fewSaturatedIntervalsAreIgnoredAsStartupNoise() {
    assertThat(saturated(2, 0).isBottleneck()).isFalse();
    assertThat(saturated(3, 0).isBottleneck()).isTrue();
    assertThat(saturated(3, 100).isBottleneck()).as("below five percent").isFalse();
  }

  private static RunResult saturated(int intervals, int others) {
    Changed run = Changed.run("open");
    long before = run.result().record().tally().of(Count.SATURATED_INTERVALS);
    return run.count(Count.SATURATED_INTERVALS, intervals - before)
        .count(Count.INTERVALS, others)
        .result();
  }

  @Test
  void apdexCountsToleratedLatenciesHalf() {
    assertThat(closed.apdex()).as("without a target").isNaN();
    double score = StoredRuns.observed().result().apdex();
    assertThat(score).isBetween(0.9, 1.0);
  }

  @Test
  void unobservedFiguresAreNaN() {
    assertThat(closed.queueDepth("peak")).isNaN();
    assertThat(closed.queueLeft()).isNaN();
    assertThat(closed.mostAtBroker("publishPerSecond")).isNaN();
    assertThat(closed.lateSends()).as("no schedule").isNaN();
    RunResult seen = StoredRuns.observed().result();
    assertThat(seen.queueDepth("peak")).isEqualTo(212);
    assertThat(seen.queueLeft()).isZero();
    assertThat(seen.mostAtBroker("publishPerSecond")).isEqualTo(436);
  }

  @Test
  void littlesLawHoldsForTheWholeRun() {
    LittlesLaw law = LittlesLaw.ofRun(open);
    assertThat(law.predicted()).isCloseTo(law.measured(), within(0.05 * law.measured()));
    assertThat(law.cells()).hasSize(7).startsWith("whole window", "1.0");
    assertThat(new LittlesLaw("idle", 1, 0, 0, 0).difference()).isZero();
  }

  @Test
  void littlesLawIsSplitByPhaseAndStage() {
    StoredRun run = StoredRuns.read("open");
    List<Stage> stages =
        List.of(new Stage(400, Duration.ofMillis(500)), new Stage(500.5, Duration.ofMillis(700)));
    RunResult staged =
        Changed.run("open").pacing(Pacing.inStages(stages, Pacing.UNBOUNDED, false)).result();
    List<String> parts =
        LittlesLaw.ofParts(staged, run.intervals().rows()).stream().map(LittlesLaw::part).toList();
    assertThat(parts).contains("main, stage 1 (400/s)", "main, stage 2 (500.5/s)");
    assertThat(LittlesLaw.ofParts(closed, run.intervals().rows()).stream().map(LittlesLaw::part))
        .contains("main")
        .doesNotContain("main, stage 1 (400/s)");
  }

  @Test
  void figuresAreSplitByServer() {
    List<ServerFigures> servers = ServerFigures.of(open);
    assertThat(servers).hasSize(2);
    assertThat(servers.stream().mapToLong(ServerFigures::connections).sum()).isEqualTo(6);
    assertThat(servers.stream().mapToLong(ServerFigures::deliveries).sum()).isEqualTo(1_320);
    assertThat(servers).allSatisfy(server -> assertThat(server.meanMillis()).isPositive());
  }
}
