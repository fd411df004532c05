package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.fake.FakePages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the figures of an embedded broker from its server's metrics page. */
final class LaneWatchTest {
  private static final String PAGE =
      """
      chatflow_lane_messages{shard="0"} %d
      chatflow_lane_messages{shard="1"} 2
      chatflow_flight_messages_count %d
      chatflow_reader_unacked 3
      """;

  private final FakePages pages = new FakePages();
  private final List<String> complaints = new ArrayList<>();
  private double seconds;

  @AfterEach
  void close() {
    pages.close();
  }

  private BrokerView view() throws InterruptedException {
    BrokerAddress address = BrokerAddress.parse(pages.url("/metrics"));
    Observing.Broker target = new Observing.Broker(address, Pattern.compile(".*"));
    return BrokerView.of(target, null, () -> seconds++, complaints::add);
  }

  @Test
  void lanesCountAsQueueDepthAndFlightsAsPublishRate() throws InterruptedException {
    pages.put("/metrics", PAGE.formatted(40, 100));
    try (BrokerView view = view()) {
      view.sampleDepth();
      view.sampleRates();
      pages.put("/metrics", PAGE.formatted(10, 150));
      view.sampleRates();
      assertThat(view.lastDepth()).hasValue(42);
      BrokerFigures figures = view.figures(0);
      assertThat(figures.name()).isEqualTo("embedded, observed through its server");
      assertThat(figures.rates().statistic("publishPerSecond", "max")).hasValue(50);
      assertThat(figures.rates().statistic("unacked", "max")).hasValue(3);
      assertThat(figures.rates().statistic("ackPerSecond", "max")).isEmpty();
      assertThat(complaints).isEmpty();
    }
  }

  @Test
  void remainingMessagesAreReturnedAfterTheTimeout() throws InterruptedException {
    pages.put("/metrics", PAGE.formatted(0, 100));
    try (BrokerView view = view()) {
      assertThat(view.settle(Duration.ofMillis(1))).isEqualTo(2);
    }
  }

  @Test
  void missingMetricsAreAGapAndOtherPagesAreRejected() throws InterruptedException {
    pages.put("/metrics", PAGE.formatted(0, 100));
    try (BrokerView view = view()) {
      pages.put("/metrics", "other 1\n");
      view.sampleDepth();
      assertThat(view.lastDepth()).isEmpty();
    }
    assertThatThrownBy(this::view)
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("not a metrics page of a ChatFlow server");
  }
}
