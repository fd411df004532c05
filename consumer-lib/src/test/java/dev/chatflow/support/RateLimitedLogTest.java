package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void oneOfManyIsLoggedWithTheNumberOfTheOthers() {
    RateLimitedLog seldom = new RateLimitedLog(Duration.ofSeconds(10), -5);
    assertThat(seldom.take(-5)).isZero();
    assertThat(seldom.take(SECOND)).isEqualTo(RateLimitedLog.NOT_NOW);
    assertThat(seldom.take(9 * SECOND)).isEqualTo(RateLimitedLog.NOT_NOW);
    assertThat(seldom.take(10 * SECOND)).isEqualTo(2);
    assertThat(seldom.take(30 * SECOND)).isZero();
  }
}
