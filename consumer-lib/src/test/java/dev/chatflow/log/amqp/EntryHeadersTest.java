package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.chatflow.log.Headers;
import dev.chatflow.room.Shard;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryHeadersTest {

  private static long built(Object time) {
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder().headers(Map.of(Headers.TIME, time)).build();
    return new EntryHeaders(new Shard(0)).arrival(1, properties, new byte[0], 0).builtMillis();
  }

  @Test
  void timeOfAServerIsTaken() {
    assertThat(built(1_795_000_000_000L)).isEqualTo(1_795_000_000_000L);
  }

  /** It would move the clock that ranks JOINs, which never goes back. */
  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1_795_000_000_000_000L})
  void timeThatNoServerOfTheseYearsHasMovesNoClock(long time) {
    assertThat(built(time)).isZero();
  }
}
