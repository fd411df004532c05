package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pause between two flights follows the number of lanes and the load of the machine. */
class FlightPaceTest {

  private static final long NOW = 1_000_000_000;

  private final FlightPace pace = new FlightPace();

  /** Returns the pause in microseconds after all saved flights are sent. */
  private long pauseMicros() {
    for (int i = 0; i < 20; i++) {
      pace.sent(NOW);
    }
    long before = pace.untilNextNanos(NOW);
    pace.sent(NOW);
    return Math.round((pace.untilNextNanos(NOW) - before) / 1_000.0);
  }

  @Test
  void anIdleLaneHasSavedFlights() {
    for (int i = 0; i < 9; i++) {
      assertThat(pace.untilNextNanos(NOW)).isZero();
      pace.sent(NOW);
    }
    assertThat(pace.untilNextNanos(NOW)).isEqualTo(2_500_000);
  }

  @ParameterizedTest(name = "{0} lanes, load {1}: {2} us")
  @CsvSource({
    "1, 0, 2500",
    "4, 0, 10000",
    "8, 0, 20000",
    "1, 0.7, 2500",
    "1, 0.8, 5000",
    "1, 0.9, 10000",
    "1, 1, 10000",
    "8, 1, 20000",
  })
  void thePauseIsTheLongerOfBoth(int lanes, double load, long micros) {
    pace.activeLanes(lanes);
    pace.machineLoad(load);
    assertThat(pauseMicros()).isEqualTo(micros);
  }

  @Test
  void thePauseShrinksWithTheLoad() {
    pace.machineLoad(1);
    pace.machineLoad(0.1);
    assertThat(pauseMicros()).isEqualTo(2_500);
  }
}
