package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SlowReaderTest {
  private static final Disturbance SECOND_IS_SLOW =
      new Disturbance(0, Duration.ZERO, 0.5, 10, false);

  private final Scene scene =
      new Scene(new TestPlan().rooms(1, 2).texts(50).disturbance(SECOND_IS_SLOW)).joined();

  @Test
  void everySecondUserIsSlowAtAShareOfHalf() {
    assertThat(scene.user(0).member().isSlow).isFalse();
    assertThat(scene.user(1).member().isSlow).isTrue();
  }

  @Test
  void slowUserReadsAtItsRate() {
    scene.user(0).pump();
    scene.pass(1_000);
    long deliveries = scene.count(Count.TEXT_DELIVERIES);
    assertThat(deliveries - 50).as("deliveries to the slow user in a second").isBetween(10L, 12L);
    assertThat(scene.connectionOf(1).isPaused()).isTrue();
    scene.pass(1_000);
    assertThat(scene.count(Count.TEXT_DELIVERIES) - deliveries).isBetween(9L, 11L);
  }

  @Test
  void slowUserReadsEverythingAfterTheMainPhase() {
    scene.user(0).pump();
    scene.pass(500);
    scene.enter(Phase.DRAIN);
    scene.pass(20);
    assertThat(scene.connectionOf(1).isPaused()).isFalse();
    assertThat(scene.count(Count.TEXT_DELIVERIES)).isEqualTo(100);
  }

  @Test
  void latenciesOfASlowUserAreNotRecorded() {
    scene.user(0).pump();
    scene.pass(3_000);
    assertThat(scene.series(dev.chatflow.client.record.Series.DELIVERY).getTotalCount())
        .isEqualTo(50);
  }

  @Test
  void closedSlowUserIsCountedSeparately() {
    scene.connectionOf(1).end(4008, "slow consumer");
    assertThat(scene.count(Count.SLOW_LOST)).isEqualTo(1);
    assertThat(scene.count(Count.CONNECTIONS_LOST)).isZero();
  }
}
