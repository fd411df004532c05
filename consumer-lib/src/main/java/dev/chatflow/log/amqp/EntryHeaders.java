package dev.chatflow.log.amqp;

import com.rabbitmq.client.AMQP;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.Headers;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.message.Batch;
import dev.chatflow.room.Shard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the headers and properties of an AMQP message. Used by one reading.
 *
 * <p>Caches the lanes it has read, at most {@value #MAX_LANES}; beyond that the cache is cleared.
 */
final class EntryHeaders {

  private static final int MAX_LANES = 4_096;

  /** The end of this century, in ms since 1970. */
  private static final long LATEST_MILLIS = 4_102_444_800_000L;

  private final Shard shard;

  // From a header as the client library gives it, which has its own equality, to a lane.
  private final Map<Object, Lane> lanes = new HashMap<>();

  EntryHeaders(Shard shard) {
    this.shard = shard;
  }

  Arrival arrival(long tag, AMQP.BasicProperties properties, byte[] body, long nowNanos) {
    Map<String, Object> headers =
        properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    return new Arrival(
        tag,
        number(headers.get(Topology.STREAM_OFFSET), Arrival.NO_OFFSET),
        entry(headers, body.length > 0),
        built(headers),
        presenceHeaders(headers),
        content(properties, headers, body),
        body,
        nowNanos);
  }

  /**
   * Returns the cluster time at which it was built, which advances this server's clock; 0 if the
   * entry has no time, or an implausible one.
   */
  private static long built(Map<String, Object> headers) {
    long time = number(headers.get(Headers.TIME), 0);
    return time < 0 || time > LATEST_MILLIS ? 0 : time;
  }

  private static Arrival.Content content(
      AMQP.BasicProperties properties, Map<String, Object> headers, byte[] body) {
    Object kind = headers.get(Headers.KIND);
    if (kind != null) {
      return switch (kind.toString()) {
        case Headers.KIND_PRESENCE -> Arrival.Content.PRESENCE;
        case Headers.KIND_BLOCK -> Arrival.Content.BLOCK;
        default -> Arrival.Content.UNKNOWN;
      };
    }
    if (body.length == 0) {
      return Arrival.Content.NOTHING;
    }
    return Batch.CONTENT_TYPE.equals(properties.getContentType())
        ? Arrival.Content.LINES
        : Arrival.Content.LINE;
  }

  private static PresenceHeaders presenceHeaders(Map<String, Object> headers) {
    long request = number(headers.get(Headers.SNAPSHOT_REQUEST), 0);
    Object members = headers.get(Headers.MEMBERS);
    Object lostLanes = headers.get(Headers.LOST_LANES);
    return request == 0 && members == null && lostLanes == null
        ? PresenceHeaders.NONE
        : new PresenceHeaders(
            request,
            members == null ? null : Digest.parse(members.toString()),
            lostLanes == null ? List.of() : lanes(lostLanes.toString()));
  }

  private static List<Lane> lanes(String names) {
    return Stream.of(names.split(" ", -1)).map(Lane::parse).filter(Objects::nonNull).toList();
  }

  /** Returns the entry; null if no lane of the shard published it, or its numbers are invalid. */
  private @Nullable Entry entry(Map<String, Object> headers, boolean hasLines) {
    Object header = headers.get(Lane.HEADER);
    Lane lane = header == null ? null : lane(header);
    long number = number(headers.get(Lane.HEADER_NUMBER), 0);
    long read = number(headers.get(Headers.READ), 0);
    boolean valid =
        lane != null && lane.shard() == shard.index() && number > 0 && read >= 0 && read < number;
    return valid && lane != null ? new Entry(lane, number, read, hasLines) : null;
  }

  private @Nullable Lane lane(Object header) {
    Lane known = lanes.get(header);
    if (known != null) {
      return known;
    }
    Lane lane = Lane.parse(header.toString());
    if (lane != null) {
      if (lanes.size() >= MAX_LANES) {
        lanes.clear();
      }
      lanes.put(header, lane);
    }
    return lane;
  }

  private static long number(@Nullable Object header, long otherwise) {
    return header instanceof Number number ? number.longValue() : otherwise;
  }
}
