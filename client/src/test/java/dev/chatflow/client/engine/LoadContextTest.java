package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.record.Phase;
import org.junit.jupiter.api.Test;

final class LoadContextTest {
  private final Scene scene = new Scene(new TestPlan().rooms(1, 1));
  private final LoadContext context = scene.context;

  @Test
  void textsMayBeWrittenInWarmUpAndMainPhaseUntilTheRunIsStopped() {
    for (Phase phase : Phase.values()) {
      scene.enter(phase);
      boolean sends = phase == Phase.WARMUP || phase == Phase.MAIN;
      assertThat(context.isSending()).as("%s", phase).isEqualTo(sends);
      if (phase == Phase.MAIN) {
        scene.gate.stop();
        assertThat(context.isSending()).isFalse();
      }
    }
  }

  @Test
  void messagesDueBeforeTheRecordedPartAreNotRecorded() {
    assertThat(context.isRecorded(Long.MAX_VALUE - 1)).as("before the main phase").isFalse();
    long main = startMain();
    assertThat(context.isRecorded(main - 1)).isFalse();
    assertThat(context.isRecorded(main)).as("even before its thread observes it").isTrue();
  }

  /**
   * Two messages are in flight for 100 ns, then three for 50 ns. Time before the recorded part does
   * not count.
   */
  @Test
  void inFlightIsWeightedByTimeSinceTheRecordedPart() {
    context.changeInFlight(2, 10);
    long main = startMain();
    context.changeInFlight(0, main);
    context.changeInFlight(1, main + 100);
    context.changeInFlight(-3, main + 150);
    assertThat(context.inFlight()).isZero();
    assertThat(context.tally.inFlightNanos()).isEqualTo(2 * 100 + 3 * 50);
  }

  private long startMain() {
    scene.pass(1);
    scene.enter(Phase.MAIN);
    return scene.gate.mainNanos();
  }

  @Test
  void timeOfARunIsNeverZero() {
    assertThat(context.now()).isEqualTo(1);
    scene.pass(2);
    assertThat(context.now()).isGreaterThan(1_000_000);
    assertThat(context.readTime()).isEqualTo(context.now());
  }
}
