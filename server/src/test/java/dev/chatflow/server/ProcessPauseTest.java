package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessPauseTest {

  /** Its ticks are due a second apart. */
  private static final long START = Long.MAX_VALUE - Duration.ofSeconds(20).toNanos();

  private final List<Duration> told = new ArrayList<>();
  private final ProcessPause pause = new ProcessPause(START, told::add);

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  private boolean isJustOver(double seconds) {
    return pause.isJustOver(at(seconds));
  }

  @Test
  void serverThatGoesOnHasNone() {
    for (int second = 1; second < 60; second++) {
      pause.tick(at(second));
      assertThat(isJustOver(second + 0.9)).isFalse();
    }
    assertThat(told).isEmpty();
  }

  @Test
  void tickOfFifteenSecondsTooLateIsNone() {
    pause.tick(at(16));
    assertThat(isJustOver(16)).isFalse();
    pause.tick(at(32));
    assertThat(told).isEmpty();
  }

  @Test
  void lateTickIsReportedOnceAndNothingIsAcceptedForFiveSeconds() {
    pause.tick(at(18.5));
    assertThat(told).containsExactly(Duration.ofMillis(17_500));
    assertThat(isJustOver(18.5)).isTrue();
    pause.tick(at(19.5));
    assertThat(isJustOver(23.4)).isTrue();
    assertThat(isJustOver(23.5)).isFalse();
    assertThat(told).hasSize(1);
  }

  /** Messages in sockets may be read before the timer's thread runs again. */
  @Test
  void earlyCheckDetectsAPauseAndTheTickReportsIt() {
    assertThat(isJustOver(18)).isTrue();
    assertThat(told).as("who asks may hold locks").isEmpty();
    pause.tick(at(18.1));
    assertThat(told).containsExactly(Duration.ofSeconds(17));
    assertThat(isJustOver(22.9)).isTrue();
    assertThat(isJustOver(23)).isFalse();
  }

  @Test
  void eachIsReported() {
    pause.tick(at(20));
    pause.tick(at(21));
    pause.tick(at(42));
    assertThat(told).containsExactly(Duration.ofSeconds(19), Duration.ofSeconds(20));
    assertThat(isJustOver(46.9)).isTrue();
  }
}
