package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import org.junit.jupiter.api.Test;

final class AttemptsTest {
  private static final long WISH = 1L << 40;

  private final Scene scene = new Scene(new TestPlan().retries(2));
  private final Attempts attempts = new Attempts(scene.context);

  @Test
  void numberOfRetriesIsLimitedAndResetByASuccess() {
    assertThat(attempts.plan(0, 0)).isTrue();
    assertThat(attempts.plan(0, 0)).isTrue();
    assertThat(attempts.plan(0, 0)).isFalse();
    attempts.succeeded();
    assertThat(attempts.plan(0, 0)).isTrue();
  }

  @Test
  void delayRequestedByTheServerIsTheMinimumPause() {
    assertThat(attempts.isPlanned()).isFalse();
    assertThat(attempts.isDue(Long.MAX_VALUE)).isFalse();
    assertThat(attempts.plan(WISH, 5)).isTrue();
    assertThat(attempts.isPlanned()).isTrue();
    assertThat(attempts.isDue(WISH + 4)).isFalse();
    assertThat(attempts.isDue(WISH + 5)).isTrue();
    attempts.begun();
    assertThat(attempts.isDue(WISH + 5)).isFalse();
  }

  @Test
  void postponedAttemptDoesNotCountAsFailure() {
    attempts.postpone(7);
    assertThat(attempts.isDue(6)).isFalse();
    assertThat(attempts.isDue(7)).isTrue();
    assertThat(attempts.plan(0, 0)).isTrue();
    assertThat(attempts.plan(0, 0)).isTrue();
  }

  @Test
  void stoppedRunMakesNoFurtherAttempts() {
    scene.gate.stop();
    assertThat(attempts.plan(0, 0)).isFalse();
    assertThat(attempts.isPlanned()).isFalse();
  }
}
