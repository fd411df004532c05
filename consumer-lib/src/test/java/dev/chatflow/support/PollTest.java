package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollTest {

  private static final Poll POLL = Poll.everyMillis(1);

  @Test
  void looksUntilItHolds() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(POLL.until(() -> looks.incrementAndGet() == 3, Duration.ofMinutes(1))).isTrue();
    assertThat(looks).hasValue(3);
  }

  @Test
  void looksOnceWhenThereIsNoTime() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(POLL.until(() -> looks.incrementAndGet() == 2, Duration.ZERO)).isFalse();
    assertThat(looks).hasValue(1);
  }

  @Test
  void interruptEndsItAndStays() {
    Thread.currentThread().interrupt();
    assertThat(POLL.until(() -> false, Duration.ofMinutes(1))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }
}
