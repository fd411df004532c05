package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class JoinClockTest {

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final JoinClock joins = new JoinClock(clock::get);

  @Test
  void usuallyStampsWithTheClock() {
    assertThat(stamp(0)).isEqualTo(1_000_000);
    clock.addAndGet(7);
    assertThat(stamp(999_000)).isEqualTo(1_000_007);
  }

  @Test
  void aNewcomerIsAboveEveryJoinSeenWhateverTheClocksSay() {
    assertThat(stamp(1_000_000)).isEqualTo(1_000_001);
    assertThat(stamp(1_003_000)).isEqualTo(1_003_001);
  }

  @Test
  void joinsOfOneMillisecondAreStampedApart() {
    assertThat(stamp(0)).isEqualTo(1_000_000);
    assertThat(stamp(0)).isEqualTo(1_000_001);
    assertThat(stamp(0)).isEqualTo(1_000_002);
  }

  @Test
  void aClockSetBackDoesNotStampBelowTheLanesOwnLast() {
    assertThat(stamp(0)).isEqualTo(1_000_000);
    clock.addAndGet(-400);
    assertThat(stamp(0)).isEqualTo(1_000_001);
  }

  @Test
  void theLeadIsCapped() {
    assertThat(stamp(1_005_000)).isEqualTo(1_005_000);
    assertThat(stamp(9_000_000)).isEqualTo(1_005_000);
    clock.addAndGet(10_000);
    assertThat(stamp(0)).isEqualTo(1_010_000);
  }

  @Test
  void aStampThatWasNotUsedIsGivenAgain() {
    assertThat(joins.stamp(0)).isEqualTo(1_000_000);
    assertThat(joins.stamp(0)).isEqualTo(1_000_000);
  }

  private long stamp(long newestSeen) {
    long stamp = joins.stamp(newestSeen);
    joins.used(stamp);
    return stamp;
  }
}
