package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandstillTest {

  /** Its ticks are due a second apart. */
  private static final long START = Long.MAX_VALUE - Duration.ofSeconds(20).toNanos();

  private final List<Duration> told = new ArrayList<>();
  private final Standstill standstill = new Standstill(START, told::add);

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  private boolean isJustOver(double seconds) {
    return standstill.isJustOver(at(seconds));
  }

  @Test
  void serverThatGoesOnHasNone() {
    for (int second = 1; second < 60; second++) {
      standstill.tick(at(second));
      assertThat(isJustOver(second + 0.9)).isFalse();
    }
    assertThat(told).isEmpty();
  }

  @Test
  void tickOfFifteenSecondsTooLateIsNone() {
    standstill.tick(at(16));
    assertThat(isJustOver(16)).isFalse();
    standstill.tick(at(32));
    assertThat(told).isEmpty();
  }

  @Test
  void tickThatIsLaterIsToldOnceAndNothingIsTakenForFiveSeconds() {
    standstill.tick(at(18.5));
    assertThat(told).containsExactly(Duration.ofMillis(17_500));
    assertThat(isJustOver(18.5)).isTrue();
    standstill.tick(at(19.5));
    assertThat(isJustOver(23.4)).isTrue();
    assertThat(isJustOver(23.5)).isFalse();
    assertThat(told).hasSize(1);
  }

  /** What waits in sockets may be read before the timer's thread runs again. */
  @Test
  void whoAsksBeforeTheTickNoticesAndTheTickTells() {
    assertThat(isJustOver(18)).isTrue();
    assertThat(told).as("who asks may hold locks").isEmpty();
    standstill.tick(at(18.1));
    assertThat(told).containsExactly(Duration.ofSeconds(17));
    assertThat(isJustOver(22.9)).isTrue();
    assertThat(isJustOver(23)).isFalse();
  }

  @Test
  void eachIsTold() {
    standstill.tick(at(20));
    standstill.tick(at(21));
    standstill.tick(at(42));
    assertThat(told).containsExactly(Duration.ofSeconds(19), Duration.ofSeconds(20));
    assertThat(isJustOver(46.9)).isTrue();
  }
}
