package dev.chatflow.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectiveTest {
  @ParameterizedTest
  @CsvSource({
    "delivery.p99<250ms, delivery.p99, <, 250000.0",
    "lag.p99 <= 5ms, lag.p99, <=, 5000.0",
    "lost == 0, lost, ==, 0.0",
    "deliveries.rate>=500k, deliveries.rate, >=, 500000.0",
    "accepted==attempted, accepted, ==, attempted",
    "echo.max<2s, echo.max, <, 2000000.0"
  })
  void formIsRead(String text, String left, String operator, String right) {
    Objective objective = Objective.parse(text);
    assertThat(objective.left()).isEqualTo(left);
    assertThat(objective.operator()).isEqualTo(operator);
    assertThat(objective.right()).isEqualTo(right);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lost", "lost=0", "<5", "Lost==0", "lost==", "lost!=0"})
  void otherFormsAreRefused(String text) {
    assertThatThrownBy(() -> Objective.parse(text)).hasMessageContaining("--slo");
  }

  @Test
  void operatorsCompare() {
    assertThat(Objective.parse("a<1").holds(0, 1)).isTrue();
    assertThat(Objective.parse("a<1").holds(1, 1)).isFalse();
    assertThat(Objective.parse("a<=1").holds(1, 1)).isTrue();
    assertThat(Objective.parse("a>1").holds(1, 1)).isFalse();
    assertThat(Objective.parse("a>=1").holds(1, 1)).isTrue();
    assertThat(Objective.parse("a==1").holds(1, 1)).isTrue();
  }
}
