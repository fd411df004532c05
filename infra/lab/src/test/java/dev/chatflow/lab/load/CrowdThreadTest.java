package dev.chatflow.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Recorder;
import org.junit.jupiter.api.Test;

class CrowdThreadTest {

  private final CrowdThread thread =
      new CrowdThread(new CrowdPlan("ws://127.0.0.1:1", 1, 1, 1, 1, 1), 0, 1, new Recorder(3));

  @Test
  void aFailureStaysWhenTheRunHasEnded() {
    thread.failed();
    thread.end();
    thread.failed();
    assertThat(thread.hasFailed()).isTrue();
  }

  @Test
  void whatFailsBehindTheEndIsNoFailure() {
    thread.end();
    thread.failed();
    assertThat(thread.hasFailed()).isFalse();
  }
}
