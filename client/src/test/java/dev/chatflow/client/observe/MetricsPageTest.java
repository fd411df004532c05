package dev.chatflow.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class MetricsPageTest {
  @Test
  void valuesAreSummedOverLabelsExceptMaximaAndBuckets() {
    String page =
        """
        # HELP chat_in messages
        # TYPE chat_in counter
        chat_in_total{room="1",text="} 5"} 3.0
        chat_in_total{room="2"} 4 1732200000000
        up 1
        seconds_bucket{le="+Inf"} 9
        seconds_max{stage="lane"} 0.25
        seconds_max{stage="confirm"} 0.125
        seconds_sum 0.5
        chat_in_created 1.7E9
        broken NaN
        not a metric
        limit +Inf
        """;
    assertThat(MetricsPage.read(page))
        .isEqualTo(
            Map.of(
                "chat_in_total",
                7.0,
                "up",
                1.0,
                "seconds_sum",
                0.5,
                "seconds_max",
                0.25,
                "limit",
                Double.POSITIVE_INFINITY));
  }
}
