package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final Progress progress = new Progress();

  private boolean stalls(boolean waits, long done, int second) {
    return progress.stalls(waits, done, TimeUnit.SECONDS.toNanos(second));
  }

  @Test
  void workThatWaitsEightSecondsStallsUntilSomethingIsDone() {
    assertThat(stalls(true, 5, 0)).isFalse();
    assertThat(stalls(true, 5, 7)).isFalse();
    assertThat(stalls(true, 5, 8)).isTrue();
    assertThat(stalls(true, 5, 60)).isTrue();
    assertThat(stalls(true, 6, 61)).isFalse();
    assertThat(stalls(true, 6, 68)).isFalse();
    assertThat(stalls(true, 6, 69)).isTrue();
  }

  @Test
  void whereNothingWaitsNothingStalls() {
    assertThat(stalls(false, 0, 0)).isFalse();
    assertThat(stalls(false, 0, 100)).isFalse();
    assertThat(stalls(true, 0, 101)).isFalse();
    assertThat(stalls(true, 0, 108)).isFalse();
    assertThat(stalls(false, 0, 112)).isFalse();
  }
}
