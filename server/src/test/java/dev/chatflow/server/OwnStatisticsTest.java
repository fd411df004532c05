package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.ServerStatistics;
import dev.chatflow.server.publish.Vitals;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnStatisticsTest {

  private long millis;
  private long messages;
  private Vitals.Hop lag = new Vitals.Hop("log lag", 0, 0, List.of());
  private final OwnStatistics statistics =
      new OwnStatistics(
          () ->
              new Vitals.Stats(
                  "one", 5, 12, 0, 3, 20, messages, 0, 0, 0, Map.of(), 0, 0, 0, List.of()),
          () -> lag,
          "1.0.0",
          () -> TimeUnit.MILLISECONDS.toNanos(millis));

  @Test
  void serverThatBeginsHasNothing() {
    assertThat(statistics.get()).isEqualTo(new ServerStatistics(0, 0, 0, 0, "1.0.0"));
  }

  @Test
  void rateAndLagAreOfTheTimeSinceItWasTakenLast() {
    messages = 400;
    lag = new Vitals.Hop("log lag", 10, 0.05, List.of());
    assertThat(takenAfter(4_000)).isEqualTo(new ServerStatistics(12, 3, 100, 5, "1.0.0"));
    messages = 600;
    assertThat(takenAfter(4_000))
        .as("no entry")
        .isEqualTo(new ServerStatistics(12, 3, 50, 0, "1.0.0"));
    assertThat(statistics.get()).isSameAs(statistics.get());
  }

  private ServerStatistics takenAfter(long more) {
    millis += more;
    statistics.run();
    return statistics.get();
  }
}
