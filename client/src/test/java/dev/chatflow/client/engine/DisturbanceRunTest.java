package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.fake.VirtualConnection;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests complete runs with connections that are lost, dropped on purpose or slow. */
final class DisturbanceRunTest {
  private static final long MILLI = 1_000_000L;

  private final VirtualChat chat = new VirtualChat();

  @Test
  void lostConnectionsReconnectAndResendUnansweredTexts() throws InterruptedException {
    chat.after(1_500 * MILLI, () -> chat.stall(200 * MILLI));
    chat.after(1_600 * MILLI, () -> chat.closeAll(1006, ""));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 4)
                .lasting(Duration.ofSeconds(3))
                .pacing(Pacing.open(200, Pacing.UNBOUNDED, false))
                .reconnecting(),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isEqualTo(4);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(4);
    assertThat(run.count(Count.RESENT)).isPositive();
    assertThat(run.series(Series.RECOVERY, Clock.SERVICE).getTotalCount()).isEqualTo(4);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(600);
  }

  @Test
  void connectionLostWhileRejoiningIsCountedSeparately() throws InterruptedException {
    chat.after(
        1_500 * MILLI,
        () -> {
          chat.closeAll(1001, "reconnect after 300 ms");
          chat.cutJoins(1);
        });
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 2)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.open(50, Pacing.UNBOUNDED, false))
                .reconnecting(),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isEqualTo(3);
    assertThat(run.count(Count.LOST_AGAIN)).isEqualTo(1);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(2);
    assertThat(run.record().tally().failures())
        .as("one reason, independent of the delay in it")
        .containsEntry("connection lost: 1001 reconnect after N ms", 2L);
    assertThat(run.series(Series.RECOVERY, Clock.SERVICE).getMinValue())
        .as("the requested delay is respected")
        .isGreaterThanOrEqualTo(300_000);
  }

  @Test
  void supersededMemberIsLostAndExpectsNoMoreDeliveries() throws InterruptedException {
    chat.after(1_500 * MILLI, () -> chat.open().getFirst().end(4009, "taken over"));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 3)
                .lasting(Duration.ofSeconds(3))
                .pacing(Pacing.open(60, Pacing.UNBOUNDED, false))
                .reconnecting(),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isEqualTo(1);
    assertThat(run.count(Count.RECONNECTIONS)).isZero();
    assertThat(run.count(Count.SYNTHETIC_LEAVES)).isEqualTo(2);
    assertThat(run.record().tally().closeCodes()).containsEntry(4009, 1L);
  }

  @Test
  void churnDropsAShareOfTheConnectionsAndReopensThem() throws InterruptedException {
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 10)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, false))
                .disturbance(new Disturbance(0.1, Duration.ofSeconds(1), 0, 0, true)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.DROPPED)).isBetween(6L, 8L);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(run.count(Count.DROPPED));
  }

  @Test
  void slowReaderFallsBehindWithoutSlowingOthers() throws InterruptedException {
    long[] paused = new long[1];
    for (int i = 1; i < 40; i++) {
      chat.after(
          100L * i * MILLI,
          () -> paused[0] += chat.open().stream().filter(VirtualConnection::isPaused).count());
    }
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 10)
                .lasting(Duration.ofSeconds(3))
                .pacing(Pacing.open(200, Pacing.UNBOUNDED, false))
                .disturbance(new Disturbance(0, Duration.ZERO, 0.1, 50, false)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(paused[0]).as("samples with a paused connection").isGreaterThan(10);
    assertThat(run.series(Series.DELIVERY, Clock.RESPONSE).getMaxValue())
        .as("latency of the other members")
        .isLessThan(20_000);
  }
}
