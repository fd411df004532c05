package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LaneOpenTimesTest {

  private final LaneOpenTimes openings = new LaneOpenTimes(2, 100);

  @Test
  void timeRunsFromTheLastLookThatFoundItShut() {
    openings.look(shard -> shard == 1, 150);
    openings.look(_ -> true, 160);
    assertThat(openings.openNanos(0, 200)).isEqualTo(50);
    assertThat(openings.openNanos(1, 200)).isEqualTo(100);
    openings.look(_ -> false, 210);
    assertThat(openings.openNanos(1, 210)).isZero();
  }

  @Test
  void olderTimeGivesZero() {
    assertThat(openings.openNanos(0, 90)).isZero();
  }
}
