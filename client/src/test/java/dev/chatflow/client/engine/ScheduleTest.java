package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatflow.client.plan.Pacing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScheduleTest {
  @Test
  void twoThreadsTogetherSendEveryTickOfTheRunOnce() {
    Pacing pacing = Pacing.open(1_000, Pacing.UNBOUNDED, false);
    List<Long> dues = new ArrayList<>();
    for (int[] users : new int[][] {{0, 1, 4, 5}, {2, 3, 6, 7}}) {
      Schedule schedule = new Schedule(pacing, 8, users, 1);
      for (int i = 0; i < 400; i++) {
        dues.add(schedule.nextNanos());
        assertThat(schedule.take()).isEqualTo(i % 4);
      }
    }
    Collections.sort(dues);
    for (int k = 0; k < 800; k++) {
      assertThat(dues.get(k)).isEqualTo(k * 1_000_000L);
    }
  }

  @Test
  void poissonGapsHaveTheRateAndTheirSpread() {
    Schedule schedule =
        new Schedule(Pacing.open(1_000, Pacing.UNBOUNDED, true), 8, new int[] {0, 1}, 5);
    double last = 0;
    double sum = 0;
    double squares = 0;
    int count = 50_000;
    for (int i = 0; i < count; i++) {
      double gap = schedule.nextNanos() - last;
      last = schedule.nextNanos();
      schedule.take();
      sum += gap;
      squares += gap * gap;
    }
    double mean = sum / count;
    double deviation = Math.sqrt(squares / count - mean * mean);
    assertThat(mean).isCloseTo(4e6, within(0.1e6)); // a quarter of 1,000 a second
    assertThat(deviation / mean).isCloseTo(1, within(0.03));
  }
}
