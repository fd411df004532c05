package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Pacing.Stage;
import dev.chatflow.client.plan.Roles;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScheduleTest {
  /** The users of two rooms with two users each, in the order in which they send. */
  private static final int[] TURNS = {0, 2, 1, 3};

  @Test
  void twoThreadsTogetherSendEveryTickOfTheRunOnce() {
    Pacing pacing = Pacing.open(1_000, Pacing.UNBOUNDED, false);
    List<Long> dues = new ArrayList<>();
    for (int[] users : new int[][] {{0, 1, 4, 5}, {2, 3, 6, 7}}) {
      Schedule schedule = new Schedule(pacing, equal(), users, 1);
      for (int i = 0; i < 400; i++) {
        dues.add(schedule.nextNanos());
        assertThat(schedule.take()).as("the rooms take turns").isEqualTo(TURNS[i % 4]);
      }
    }
    Collections.sort(dues);
    for (int k = 0; k < 800; k++) {
      assertThat(dues.get(k)).isEqualTo(k * 1_000_000L);
    }
  }

  @Test
  void poissonGapsHaveTheExpectedMeanAndDeviation() {
    Schedule schedule =
        new Schedule(Pacing.open(1_000, Pacing.UNBOUNDED, true), equal(), new int[] {0, 1}, 5);
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
    assertThat(mean).isCloseTo(4e6, within(0.1e6)); // 2 of 8 users send 250 per second
    assertThat(deviation / mean).isCloseTo(1, within(0.03));
  }

  @Test
  void stagesFollowEachOtherWithTheirRates() {
    List<Stage> stages =
        List.of(new Stage(100, Duration.ofSeconds(1)), new Stage(1_000, Duration.ofSeconds(2)));
    Pacing pacing = Pacing.inStages(stages, Pacing.UNBOUNDED, false);
    assertThat(pacing.ratePerSecond()).isCloseTo(700, within(0.01));
    Schedule schedule = new Schedule(pacing, equal(), new int[] {0, 1, 2, 3, 4, 5, 6, 7}, 1);
    int[] perSecond = new int[3];
    while (schedule.nextNanos() < 3_000_000_000L) {
      perSecond[(int) (schedule.nextNanos() / 1_000_000_000L)]++;
      schedule.take();
    }
    assertThat(perSecond).containsExactly(100, 1_000, 1_000);
  }

  @Test
  void hotRoomsGetTheirShareAcrossThreads() {
    Roles roles = new Roles(Roles.EVERYBODY, Mix.TEXTS_ONLY, 1, 0, List.of());
    Workload workload = new Workload(4, 2, 1_000, 0, Warmup.NONE, Duration.ZERO, roles);
    Pacing pacing = Pacing.open(10_000, Pacing.UNBOUNDED, false);
    int[] perRoom = new int[4];
    for (int[] users : new int[][] {{0, 1, 4, 5}, {2, 3, 6, 7}}) {
      Schedule schedule = new Schedule(pacing, workload, users, 7);
      while (schedule.nextNanos() < 10_000_000_000L) {
        perRoom[users[schedule.take()] / 2]++;
      }
    }
    double first = perRoom[0];
    assertThat(perRoom[0] + perRoom[1] + perRoom[2] + perRoom[3]).isBetween(99_990, 100_010);
    assertThat(perRoom[1] / first).isCloseTo(1 / 2.0, within(0.02));
    assertThat(perRoom[2] / first).isCloseTo(1 / 3.0, within(0.02));
    assertThat(perRoom[3] / first).isCloseTo(1 / 4.0, within(0.02));
  }

  @Test
  void hotUsersGetTheirShareOfTheirRoom() {
    Roles roles = new Roles(Roles.EVERYBODY, Mix.TEXTS_ONLY, 0, 1, List.of());
    Workload workload = new Workload(2, 2, 1_000, 0, Warmup.NONE, Duration.ZERO, roles);
    Schedule schedule =
        new Schedule(
            Pacing.open(10_000, Pacing.UNBOUNDED, false), workload, new int[] {0, 1, 2, 3}, 7);
    double[] perUser = new double[4];
    while (schedule.nextNanos() < 5_000_000_000L) {
      perUser[schedule.take()]++;
    }
    assertThat(perUser[1] / perUser[0]).isCloseTo(1 / 2.0, within(0.03));
    assertThat(perUser[2] / perUser[0]).isCloseTo(1, within(0.04));
  }

  private static Workload equal() {
    return new Workload(4, 2, 8, 0, Duration.ZERO, Duration.ZERO);
  }
}
