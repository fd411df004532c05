package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests rates computed from counters, because the API's own rates are 0 most of the time. */
final class CounterRatesTest {
  private final CounterRates rates = new CounterRates();

  @Test
  void rateIsGrowthPerSecond() {
    rates.take(10, Map.of("publish", 1_000.0));
    rates.take(15, Map.of("publish", 2_358.0));
    assertThat(rates.perSecond("publish")).isEqualTo(1_358 / 5.0);
  }

  @Test
  void countersOfAllQueuesAreAddedUp() {
    rates.take(0, Map.of("ack/a", 10.0, "ack/b", 100.0, "deliver/a", 7.0));
    rates.take(2, Map.of("ack/a", 30.0, "ack/b", 140.0, "deliver/a", 7.0));
    assertThat(rates.perSecond("ack/")).isEqualTo(30);
    assertThat(rates.perSecond("deliver/")).isZero();
  }

  @Test
  void newQueueStartsAtZeroAndRecreatedQueueAddsNothing() {
    rates.take(0, Map.of("ack/old", 500.0, "ack/again", 900.0));
    rates.take(1, Map.of("ack/new", 40.0, "ack/again", 3.0));
    assertThat(rates.perSecond("ack/")).isEqualTo(40);
  }

  @Test
  void rateIsUnknownAfterOneSampleOrWithoutTheCounter() {
    assertThat(rates.perSecond("publish")).isNaN();
    rates.take(1, Map.of("publish", 5.0));
    assertThat(rates.perSecond("publish")).isNaN();
    rates.take(2, Map.of("publish", 5.0));
    assertThat(rates.perSecond("publish")).isZero();
    assertThat(rates.perSecond("ack/")).isNaN();
  }

  @Test
  void twoSamplesAtTheSameTimeHaveNoRate() {
    rates.take(1, Map.of("publish", 5.0));
    rates.take(1, Map.of("publish", 9.0));
    assertThat(rates.perSecond("publish")).isNaN();
  }
}
