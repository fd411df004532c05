package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests complete runs with each load model, stages, warmup and waves. */
final class PacingRunTest {
  private final VirtualChat chat = new VirtualChat();

  private VirtualRun closed(TestPlan plan, int window, Duration drain) throws InterruptedException {
    return VirtualRun.of(plan.pacing(Pacing.closed(window)).drain(drain), chat);
  }

  @Test
  void closedModelNeverHasMoreInFlightThanItsWindow() throws InterruptedException {
    chat.swallow(VirtualChat.type("TEXT"));
    VirtualRun run = closed(new TestPlan().rooms(2, 5).texts(200), 3, Duration.ofSeconds(1));
    assertThat(run.count(Count.TEXTS_WRITTEN)).as("all windows are full").isEqualTo(2 * 5 * 3);
    assertThat(run.count(Count.TEXTS_UNSENT)).isEqualTo(2 * 5 * 197);
    assertThat(run.record().gaveUp()).isTrue();
    assertThat(run.record().ended()).contains("drain gave up after 1 s without a delivery");
    assertThat(run.found(Defect.UNANSWERED)).isEqualTo(30);
  }

  @Test
  void windowReopensAfterTheTimeoutOfAnAnswer() throws InterruptedException {
    chat.swallow(VirtualChat.type("TEXT"));
    VirtualRun run = closed(new TestPlan().rooms(1, 2).texts(2), 1, Duration.ofSeconds(30));
    assertThat(run.count(Count.TEXTS_WRITTEN)).isEqualTo(4);
  }

  @Test
  void stagesAndPoissonArrivalsSendAtTheirRates() throws InterruptedException {
    List<Pacing.Stage> stages =
        List.of(
            new Pacing.Stage(100, Duration.ofSeconds(2)),
            new Pacing.Stage(300, Duration.ofSeconds(2)));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 2)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.inStages(stages, Pacing.UNBOUNDED, false)),
            chat);
    assertThat(run.count(Count.TEXTS_WRITTEN)).isEqualTo(800);
    VirtualRun poisson =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 2)
                .zipf(1)
                .lasting(Duration.ofSeconds(10))
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, true)),
            new VirtualChat());
    assertThat(poisson.count(Count.TEXTS_WRITTEN)).isBetween(850L, 1_150L);
    assertThat(poisson.record().rooms().getFirst().sent())
        .as("the hot room")
        .isGreaterThan(poisson.record().rooms().getLast().sent() * 3 / 2);
  }

  @Test
  void warmUpIsVerifiedAndNotRecorded() throws InterruptedException {
    VirtualRun users =
        VirtualRun.of(
            new TestPlan().rooms(1, 3).texts(5).warmup(new Warmup(Duration.ZERO, 2, 10)), chat);
    assertThat(users.count(Count.TEXTS_WRITTEN)).isEqualTo(3 * 5 + 2 * 10);
    assertThat(users.count(Count.WARMUP_DELIVERIES)).isEqualTo(2 * 10 * 3);
    assertThat(users.series(Series.ECHO, Clock.SERVICE).getTotalCount()).isEqualTo(15);
    VirtualRun time =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 2)
                .lasting(Duration.ofSeconds(3))
                .warmup(Warmup.of(Duration.ofSeconds(1)))
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, false)),
            new VirtualChat());
    assertThat(time.count(Count.TEXTS_WRITTEN)).isEqualTo(300);
    assertThat(time.series(Series.ECHO, Clock.RESPONSE).getTotalCount()).isEqualTo(200);
  }

  @Test
  void longWarmupCompletesInEveryModel() throws InterruptedException {
    for (Pacing pacing :
        List.of(Pacing.burst(), Pacing.closed(1), Pacing.open(1_000, Pacing.UNBOUNDED, false))) {
      VirtualRun run =
          VirtualRun.of(
              new TestPlan()
                  .rooms(1, 2)
                  .texts(5)
                  .pacing(pacing)
                  .warmup(new Warmup(Duration.ZERO, 2, 300)),
              new VirtualChat());
      assertThat(run.record().gaveUp()).as("%s", pacing).isFalse();
      assertThat(run.count(Count.WARMUP_DELIVERIES)).as("%s", pacing).isEqualTo(2 * 300 * 2);
    }
  }

  @Test
  void wavesBeginWhenAFifthOfThePreviousOneHasFinished() throws InterruptedException {
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 20)
                .http(0)
                .pacing(Pacing.closed(1))
                .waves(new Wave("ONE", 5, 10), new Wave("TWO", 10, 5), new Wave("THREE", 2, 3)),
            chat);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(5 * 10 + 10 * 5 + 2 * 3);
    assertThat(run.waves())
        .containsExactly("ONE", "ONE 20%", "TWO", "TWO 20%", "THREE", "THREE 20%");
  }
}
