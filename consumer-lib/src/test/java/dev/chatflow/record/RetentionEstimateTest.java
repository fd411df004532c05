package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Topology;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Computes how long the recorder may be down. */
class RetentionEstimateTest {

  private final AtomicLong first = new AtomicLong();
  private final AtomicLong second = new AtomicLong();
  private final RetentionEstimate cover =
      new RetentionEstimate(List.of(first::get, second::get), () -> Topology.LOG_LEAST_BYTES, 0);

  private void readAndLook(long ofFirst, long ofSecond, int atSecond) {
    first.addAndGet(ofFirst);
    second.addAndGet(ofSecond);
    cover.look(TimeUnit.SECONDS.toNanos(atSecond));
  }

  @Test
  void isUnknownBeforeAnythingWasRead() {
    readAndLook(0, 0, 10);
    assertThat(cover.seconds()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void isTheLeastThatALogHoldsByTheRateOfTheBusiestShard() {
    readAndLook(10_000_000, 3_000_000, 10);
    assertThat(cover.seconds()).isEqualTo(Topology.LOG_LEAST_BYTES / 1_000_000);
  }

  @Test
  void staysWhileNothingCanBeRead() {
    readAndLook(10_000_000, 0, 10);
    readAndLook(0, 0, 70);
    assertThat(cover.seconds()).isEqualTo(Topology.LOG_LEAST_BYTES / 1_000_000);
  }

  @Test
  void followsAHigherRateAtOnceAndALowerOneSlowly() {
    readAndLook(10_000_000, 0, 10);
    readAndLook(40_000_000, 0, 20);
    assertThat(cover.seconds()).isEqualTo(Topology.LOG_LEAST_BYTES / 4_000_000);
    readAndLook(10_000_000, 0, 30);
    assertThat(cover.seconds()).isEqualTo(Topology.LOG_LEAST_BYTES / 3_600_000);
  }

  @Test
  void samplesInQuickSuccessionGiveNoEstimate() {
    readAndLook(10_000_000, 0, 1);
    assertThat(cover.seconds()).isEqualTo(Long.MAX_VALUE);
  }
}
