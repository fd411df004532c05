package dev.chatflow.consumer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.DuplicateFilter.Arrival;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneTest {

  private final LaneHeaders headers = new LaneHeaders(shard -> shard < 4);

  @Test
  void aHeaderIsReadAsItWasWritten() {
    Lane lane = new Lane("host-8080", 1_700_000_000_000L, 3);
    assertThat(lane.toString()).isEqualTo("host-8080/1700000000000/3");
    assertThat(Lane.parse(lane.toString())).isEqualTo(lane);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/1", "/1/2", "a/b/2", "a/1/", "a/1/x", "a/-1/2", "a/1/-2"})
  void otherFormsAreNoLane(String header) {
    assertThat(Lane.parse(header)).isNull();
  }

  @Test
  void headersOfALaneAreUnderstood() {
    assertThat(headers.arrival(properties(text("s1/5/2"), 7L)))
        .isEqualTo(new Arrival(new Lane("s1", 5, 2), 7));
    assertThat(headers.arrival(properties(text("s1/5/2"), 8)))
        .isEqualTo(new Arrival(new Lane("s1", 5, 2), 8));
  }

  @Test
  void aLaneIsReadOnce() {
    Lane first = arrived(7).lane();
    assertThat(arrived(8).lane()).isSameAs(first);
  }

  @Test
  void withoutUsableHeadersThereIsNoLane() {
    assertThat(headers.arrival(new AMQP.BasicProperties())).isNull();
    assertThat(headers.arrival(properties(null, 1L))).isNull();
    assertThat(headers.arrival(properties(text("s1/5/2"), null))).isNull();
    assertThat(headers.arrival(properties(text("s1/5/2"), "7"))).isNull();
    assertThat(headers.arrival(properties(text("s1/5/2"), 0L))).isNull();
    assertThat(headers.arrival(properties(5L, 7L))).isNull();
  }

  @Test
  void aLaneOfAShardOfOthersIsNone() {
    assertThat(headers.arrival(properties(text("s1/5/4"), 7L))).isNull();
  }

  private Arrival arrived(long number) {
    return requireNonNull(headers.arrival(properties(text("s1/5/2"), number)));
  }

  private static LongString text(String value) {
    return LongStringHelper.asLongString(value);
  }

  private static AMQP.BasicProperties properties(@Nullable Object lane, @Nullable Object number) {
    Map<String, Object> values = new HashMap<>();
    values.put("x-lane", lane);
    values.put("x-seq", number);
    return new AMQP.BasicProperties.Builder().headers(values).build();
  }
}
