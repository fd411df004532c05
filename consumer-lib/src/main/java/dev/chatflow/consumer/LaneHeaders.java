package dev.chatflow.consumer;

import com.rabbitmq.client.AMQP;
import dev.chatflow.broker.Lane;
import dev.chatflow.consumer.DuplicateFilter.Arrival;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads from an AMQP message's headers which lane published it, and as what number.
 *
 * <p>Belongs to one consumer thread. Remembers the lanes it has read, at most {@value
 * DuplicateFilter#MAX_LANES}, and starts anew beyond.
 */
public final class LaneHeaders {

  private final IntPredicate isOwnShard;

  // Header as the client library gives it, which has an equality of its own, to lane.
  private final Map<Object, Lane> lanes = new HashMap<>();

  /**
   * Makes a reader.
   *
   * @param isOwnShard whether the thread has the shard with this index
   */
  public LaneHeaders(IntPredicate isOwnShard) {
    this.isOwnShard = isOwnShard;
  }

  /**
   * What the headers say.
   *
   * @return null when no lane of the thread's shards published it: nothing can be filtered then
   */
  public @Nullable Arrival arrival(AMQP.BasicProperties properties) {
    Map<String, Object> headers = properties.getHeaders();
    Object header = headers == null ? null : headers.get(Lane.HEADER);
    Lane lane = header == null ? null : lane(header);
    if (headers == null || lane == null || !isOwnShard.test(lane.shard())) {
      return null;
    }
    long number = number(headers.get(Lane.HEADER_NUMBER));
    return number > 0 ? new Arrival(lane, number) : null;
  }

  private @Nullable Lane lane(Object header) {
    Lane known = lanes.get(header);
    if (known != null) {
      return known;
    }
    Lane lane = Lane.parse(header.toString());
    if (lane != null) {
      if (lanes.size() >= DuplicateFilter.MAX_LANES) {
        lanes.clear();
      }
      lanes.put(header, lane);
    }
    return lane;
  }

  private static long number(@Nullable Object header) {
    return header instanceof Number number ? number.longValue() : -1;
  }
}
