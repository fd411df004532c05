package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.plan.Judging;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectivesTest {
  @ParameterizedTest
  @CsvSource({
    "delivery.p99<250ms, delivery.p99, <, 250000.0",
    "lag.p99 <= 5ms, lag.p99, <=, 5000.0",
    "lost == 0, lost, ==, 0.0",
    "deliveries.rate>=500k, deliveries.rate, >=, 500000.0",
    "accepted==attempted, accepted, ==, attempted",
    "echo.max<2s, echo.max, <, 2000000.0",
    "delivery.p99<1m, delivery.p99, <, 6.0E7",
    "delivery.p99<0.5h, delivery.p99, <, 1.8E9",
    "delivery<250µs, delivery, <, 250.0",
    "rates.windowSeconds<1m, rates.windowSeconds, <, 6.0E7",
    "deliveries.rate>1m, deliveries.rate, >, 1000000.0",
    "delivery.count>=2k, delivery.count, >=, 2000.0",
    "chat_lag_seconds.max<0.2, chat_lag_seconds.max, <, 0.2"
  })
  void objectiveIsParsed(String text, String left, String operator, String right) {
    Judging.Objective objective = Objectives.parse(text);
    assertThat(objective.left()).isEqualTo(left);
    assertThat(objective.operator()).isEqualTo(operator);
    assertThat(objective.right()).isEqualTo(right);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lost", "lost=0", "<5", "Lost==0", "lost==", "lost!=0"})
  void malformedObjectivesAreRejected(String text) {
    assertThatThrownBy(() -> Objectives.parse(text)).hasMessageContaining("--slo");
  }

  @ParameterizedTest
  @CsvSource({
    "delivery.p99<5k, 'delivery.p99 must be a time in us, ms, s, m (minutes) or h, found 5k'",
    "client.busyShare<80%, 'client.busyShare must be a number, with k for a thousand'",
    "delivery.p99<250MS, 'delivery.p99 must be a time in us, ms, s, m (minutes) or h, found 250MS'",
    "'lost<1,000', 'lost must be a number, with k for a thousand and m for a million, found 1,000'",
    "lost<5ms, 'lost must be a number, with k for a thousand and m for a million, found 5ms'",
    "chat_lag_seconds<5ms, 'chat_lag_seconds must be a number'"
  })
  void wrongUnitIsRejected(String text, String reason) {
    assertThatThrownBy(() -> Objectives.parse(text)).hasMessageContaining(reason);
  }

  @Test
  void operatorsCompare() {
    assertThat(Objectives.parse("a<1").holds(0, 1)).isTrue();
    assertThat(Objectives.parse("a<1").holds(1, 1)).isFalse();
    assertThat(Objectives.parse("a<=1").holds(1, 1)).isTrue();
    assertThat(Objectives.parse("a>1").holds(1, 1)).isFalse();
    assertThat(Objectives.parse("a>=1").holds(1, 1)).isTrue();
    assertThat(Objectives.parse("a==1").holds(1, 1)).isTrue();
  }
}
