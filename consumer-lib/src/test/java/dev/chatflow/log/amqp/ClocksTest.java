package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.support.CapturedLog;
import java.time.Duration;
import java.util.Date;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JavaUtilDate") // the client library's type
class ClocksTest {

  private static final long NOON = 1_790_000_000_000L;

  private long nanos = -5;
  private final Clocks clocks = new Clocks(() -> NOON, () -> nanos);

  @Test
  void sendTimeInTheFutureMeansAClockThatIsAhead() {
    sent(Duration.ofSeconds(3));
    sent(Duration.ofDays(1));
    sent(Duration.ofSeconds(7));
    assertThat(clocks.behindSeconds()).isEqualTo(86_400);
  }

  @Test
  void sendTimeInThePastHasNoEffect() {
    sent(Duration.ofHours(-3));
    clocks.sent("server-2", null);
    assertThat(clocks.behindSeconds()).isZero();
  }

  @Test
  void aClockThatIsRightAgainIsForgottenWithinTwoMinutes() {
    sent(Duration.ofSeconds(60));
    pass(Duration.ofSeconds(61));
    assertThat(clocks.behindSeconds()).isEqualTo(60);
    sent(Duration.ofSeconds(2));
    pass(Duration.ofSeconds(60));
    assertThat(clocks.behindSeconds()).isEqualTo(2);
    pass(Duration.ofMinutes(3));
    assertThat(clocks.behindSeconds()).isZero();
  }

  @Test
  void clockMoreThanFiveSecondsAheadIsReportedEveryTenMinutes() {
    try (CapturedLog log = CapturedLog.of(Clocks.class)) {
      sent(Duration.ofSeconds(5));
      assertThat(log.lines()).isEmpty();
      sent(Duration.ofMinutes(2));
      sent(Duration.ofMinutes(3));
      pass(Duration.ofMinutes(10));
      sent(Duration.ofMinutes(4));
      assertThat(log.lines())
          .satisfiesExactly(
              first -> assertThat(first).contains("the wall clock of server-2 is 120 s ahead"),
              second -> assertThat(second).contains("the wall clock of server-2 is 240 s ahead"));
    }
  }

  private void sent(Duration ahead) {
    clocks.sent("server-2", new Date(NOON + ahead.toMillis()));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
