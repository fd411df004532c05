package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LaneScheduleTest {

  private static final long MS = 1_000_000;

  private final LaneSchedule schedule =
      new LaneSchedule(LaneTiming.of(Duration.ofMillis(5)), 1_000 * MS);

  @Test
  void theFirstFlightOfAnIdleLaneStartsAtOnceAndTheNextWaitsForThePace() {
    assertThat(schedule.untilStart(1_000 * MS)).isZero();
    schedule.flightStarts(1_000 * MS);
    assertThat(schedule.untilStart(1_002 * MS)).isEqualTo(3 * MS);
    assertThat(schedule.untilStart(1_005 * MS)).isZero();
    assertThat(schedule.untilStart(9_000 * MS)).isZero();
  }

  @Test
  void beaconsFollowAHundredMillisecondsAfterTheLastFlightThenEveryFiveSeconds() {
    schedule.flightConfirmed(2_000 * MS);
    assertThat(schedule.untilBeacon(2_000 * MS)).isEqualTo(100 * MS);
    schedule.beaconConfirmed(2_100 * MS);
    assertThat(schedule.untilBeacon(2_100 * MS)).isEqualTo(5_000 * MS);
    assertThat(schedule.untilBeacon(8_000 * MS)).isZero();
  }

  @Test
  void theLingerCountsFromTheLastFlightNotFromBeacons() {
    schedule.flightConfirmed(2_000 * MS);
    schedule.beaconConfirmed(30_000 * MS);
    assertThat(schedule.untilLingerEnd(61_000 * MS)).isEqualTo(1_000 * MS);
    assertThat(schedule.untilLingerEnd(62_000 * MS)).isZero();
  }

  @Test
  void timesBeyondTheOverflowOfNanoTimeAreHandled() {
    long late = Long.MAX_VALUE - 10 * MS;
    LaneSchedule wrapping = new LaneSchedule(LaneTiming.of(Duration.ofMillis(5)), late);
    wrapping.flightConfirmed(late);
    assertThat(wrapping.untilBeacon(late + 40 * MS)).isEqualTo(60 * MS);
  }
}
