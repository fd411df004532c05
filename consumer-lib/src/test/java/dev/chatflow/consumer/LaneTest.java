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
    assertThat(headers.arrival(properties(text("s1/5/2"), 7L, 3L), false))
        .isEqualTo(new Arrival(new Lane("s1", 5, 2), 7, 3, false));
    assertThat(headers.arrival(properties(text("s1/5/2"), 8, null), false))
        .isEqualTo(new Arrival(new Lane("s1", 5, 2), 8, 0, false));
  }

  @Test
  void aLaneIsReadOnce() {
    Lane first = arrived(7).lane();
    assertThat(arrived(8).lane()).isSameAs(first);
  }

  @Test
  void onlyABeaconMayHaveNumberZero() {
    assertThat(headers.arrival(properties(text("s1/5/2"), 0L, 1L), true)).isNotNull();
    assertThat(headers.arrival(properties(text("s1/5/2"), 0L, 1L), false)).isNull();
  }

  @Test
  void withoutUsableHeadersThereIsNoLane() {
    assertThat(headers.arrival(new AMQP.BasicProperties(), false)).isNull();
    assertThat(headers.arrival(properties(null, 1L, null), false)).isNull();
    assertThat(headers.arrival(properties(text("s1/5/2"), null, null), false)).isNull();
    assertThat(headers.arrival(properties(text("s1/5/2"), "7", null), false)).isNull();
    assertThat(headers.arrival(properties(5L, 7L, null), false)).isNull();
  }

  @Test
  void aLaneOfAShardOfOthersIsNone() {
    assertThat(headers.arrival(properties(text("s1/5/4"), 7L, null), false)).isNull();
  }

  private Arrival arrived(long sequence) {
    return requireNonNull(headers.arrival(properties(text("s1/5/2"), sequence, null), false));
  }

  private static LongString text(String value) {
    return LongStringHelper.asLongString(value);
  }

  private static AMQP.BasicProperties properties(
      @Nullable Object lane, @Nullable Object sequence, @Nullable Object bind) {
    Map<String, Object> values = new HashMap<>();
    values.put("x-lane", lane);
    values.put("x-seq", sequence);
    values.put("x-bind", bind);
    return new AMQP.BasicProperties.Builder().headers(values).build();
  }
}
