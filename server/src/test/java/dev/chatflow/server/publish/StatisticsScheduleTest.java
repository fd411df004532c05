package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.ServerStatistics;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StatisticsScheduleTest {

  private final AtomicInteger taken = new AtomicInteger();
  private final StatisticsSchedule beat =
      new StatisticsSchedule(
          2, () -> new ServerStatistics(taken.incrementAndGet(), 0, 0, 0, "1.0.0"), millis(0));

  private static long millis(long time) {
    return Long.MAX_VALUE + TimeUnit.MILLISECONDS.toNanos(time); // where the clock may wrap
  }

  @Test
  void firstEntryOfEachShardTellsIt() {
    assertThat(beat.due(0, millis(0))).isEqualTo("1/0/0/0/1.0.0");
    assertThat(beat.due(1, millis(0))).isEqualTo("2/0/0/0/1.0.0");
  }

  @Test
  void busyLanePublishesStatisticsEveryThreeSeconds() {
    assertThat(beat.due(0, millis(0))).isNotNull();
    assertThat(beat.due(0, millis(1))).isNull();
    assertThat(beat.due(0, millis(2_999))).isNull();
    assertThat(beat.due(0, millis(3_000))).isEqualTo("2/0/0/0/1.0.0");
    assertThat(taken).hasValue(2);
  }
}
