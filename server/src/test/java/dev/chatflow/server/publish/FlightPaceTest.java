package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The pause between two flights follows the number of lanes and the load of the machine. */
class FlightPaceTest {

  private final FlightPace pace = new FlightPace();

  /** Returns the pause in microseconds after all saved flights are sent. */
  private long pauseMicros() {
    long now = 1_000_000_000;
    for (int i = 0; i < 20; i++) {
      pace.sent(now);
    }
    long before = pace.untilNextNanos(now);
    pace.sent(now);
    return (pace.untilNextNanos(now) - before) / 1_000;
  }

  @Test
  void anIdleLaneHasSavedFlights() {
    long now = 1_000_000_000;
    for (int i = 0; i < 9; i++) {
      assertThat(pace.untilNextNanos(now)).isZero();
      pace.sent(now);
    }
    assertThat(pace.untilNextNanos(now)).isEqualTo(2_500_000);
  }

  @Test
  void eachActiveLaneLeavesTheReadersTheirTime() {
    assertThat(pauseMicros()).isEqualTo(2_500);
    pace.activeLanes(4);
    assertThat(pauseMicros()).isEqualTo(10_000);
    pace.activeLanes(8);
    assertThat(pauseMicros()).isEqualTo(20_000);
  }

  @Test
  void sevenTenthsOfTheCpuInUseChangeNothing() {
    pace.machineLoad(0.7);
    assertThat(pauseMicros()).isEqualTo(2_500);
  }

  @Test
  void aBusyMachineGetsLongerPauses() {
    pace.machineLoad(0.8);
    assertThat(pauseMicros()).isBetween(4_999L, 5_001L);
    pace.machineLoad(0.9);
    assertThat(pauseMicros()).isEqualTo(10_000);
    pace.machineLoad(1);
    assertThat(pauseMicros()).isEqualTo(10_000);
  }

  @Test
  void thePauseShrinksWithTheLoad() {
    pace.machineLoad(1);
    pace.machineLoad(0.1);
    assertThat(pauseMicros()).isEqualTo(2_500);
  }

  @Test
  void manyLanesCountMoreThanTheLoad() {
    pace.machineLoad(1);
    pace.activeLanes(8);
    assertThat(pauseMicros()).isEqualTo(20_000);
  }
}
