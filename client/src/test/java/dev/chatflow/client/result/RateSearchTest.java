package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.chatflow.client.result.RateSearch.Grade;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateSearchTest {
  @ParameterizedTest
  @ValueSource(doubles = {1_000, 1_500, 26_100, 333_333})
  void knownCapacityIsFoundWithinThePrecisionFromBelow(double capacity)
      throws InterruptedException {
    RateSearch.Found found =
        new RateSearch((rate, _) -> rate <= capacity ? Grade.OK : Grade.FAILED, 0.05).from(1_000);
    assertThat(found.highest())
        .isLessThanOrEqualTo(capacity)
        .isCloseTo(capacity, within(capacity * 0.05));
    assertThat(found.confirmed()).isEqualTo(2);
    assertThat(found.inconclusive()).isFalse();
  }

  @Test
  void searchEndsWhenTheFirstStepFails() throws InterruptedException {
    RateSearch.Found found = new RateSearch((_, _) -> Grade.FAILED, 0.05).from(1_000);
    assertThat(found.highest()).isZero();
    assertThat(found.tried()).containsExactly(1_000.0);
  }

  @Test
  void saturatedClientYieldsALowerBound() throws InterruptedException {
    RateSearch.Found found =
        new RateSearch((rate, _) -> rate <= 10_000 ? Grade.OK : Grade.INCONCLUSIVE, 0.05)
            .from(1_000);
    assertThat(found.highest()).isBetween(9_500.0, 10_000.0);
    assertThat(found.inconclusive()).isTrue();
  }

  @Test
  void rateThatFailsItsConfirmationIsLowered() throws InterruptedException {
    RateSearch.Found found =
        new RateSearch(
                (rate, confirming) ->
                    rate <= (confirming ? 9_000 : 10_000) ? Grade.OK : Grade.FAILED,
                0.05)
            .from(1_000);
    assertThat(found.highest()).isBetween(8_000.0, 9_000.0);
    assertThat(found.confirmed()).isEqualTo(2);
  }
}
