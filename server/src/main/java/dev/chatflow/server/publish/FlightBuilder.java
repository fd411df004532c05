package dev.chatflow.server.publish;

import com.rabbitmq.client.AMQP;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.line.Batch;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.channel.Flight;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the flights of one lane out of what waits in its queue.
 *
 * <p>The lane's thread alone uses it, after the shard is bound.
 */
final class FlightBuilder {

  /** What one AMQP message is made of before its properties. */
  private static final class Load {
    final Batch batch;
    final List<Runnable> onConfirm = new ArrayList<>();
    @Nullable String messageId;
    @Nullable MessageType type;
    long acceptedNanos;

    Load(Batch empty) {
      batch = empty;
    }

    /** The oldest message names a flight that holds no other. */
    void add(Outgoing message, byte[] line) {
      if (batch.size() == 0) {
        messageId = messageId(message);
        type = type(message);
        acceptedNanos = message.acceptedNanos();
      }
      batch.add(message.room(), line);
      if (message instanceof Outgoing.Line sent && sent.onConfirm() != null) {
        onConfirm.add(sent.onConfirm());
      }
    }
  }

  private final Lane lane;
  private final ShardLink link;
  private final LongSupplier clockMillis;
  private final JoinClock joins;
  private final Batch batch = new Batch();

  FlightBuilder(Lane lane, ShardLink link, LongSupplier clockMillis) {
    this.lane = lane;
    this.link = link;
    this.clockMillis = clockMillis;
    this.joins = new JoinClock(clockMillis);
  }

  Lane lane() {
    return lane;
  }

  /**
   * As many of the waiting messages as one AMQP message holds.
   *
   * @param queue not empty
   * @param mark the generation of a binding just made, or 0
   */
  Flight build(LaneQueue queue, long sequence, long mark) {
    batch.clear();
    Load load = new Load(batch);
    Outgoing next = queue.peek();
    while (next != null && add(next, load)) {
      queue.poll();
      next = queue.peek();
    }
    if (load.batch.size() == 0) {
      throw new IllegalStateException("nothing to fly in lane " + lane);
    }
    return flight(load, sequence, headers(sequence, mark));
  }

  /** False when the load is full: the message stays, and a JOIN will be stamped anew. */
  private boolean add(Outgoing next, Load load) {
    return switch (next) {
      case Outgoing.Line line -> addLine(next, line.bytes(), load);
      case Outgoing.Join join -> {
        long stamp = joins.stamp(link.newestJoinMillis());
        boolean added = addLine(next, LineWriter.line(join.message().acceptedAt(stamp)), load);
        if (added) {
          joins.used(stamp);
        }
        yield added;
      }
    };
  }

  private static boolean addLine(Outgoing message, byte[] line, Load load) {
    if (!load.batch.fits(line)) {
      return false;
    }
    load.add(message, line);
    return true;
  }

  private static String messageId(Outgoing message) {
    return switch (message) {
      case Outgoing.Line line -> line.messageId();
      case Outgoing.Join join ->
          Objects.requireNonNull(join.message().content().messageId()); // of any accepted message
    };
  }

  private static MessageType type(Outgoing message) {
    return switch (message) {
      case Outgoing.Line line -> line.type();
      case Outgoing.Join _ -> MessageType.JOIN;
    };
  }

  private Flight flight(Load load, long sequence, Map<String, Object> headers) {
    AMQP.BasicProperties.Builder properties = properties();
    if (batch.size() == 1) {
      properties
          .contentType(LineWriter.CONTENT_TYPE)
          .messageId(load.messageId)
          .type(String.valueOf(load.type));
    } else {
      properties.contentType(Batch.CONTENT_TYPE).messageId(lane + "/" + sequence);
      headers.put(Topology.HEADER_COUNT, batch.size());
    }
    return new Flight(
        sequence,
        routingKey(batch.onlyRoom()),
        properties.headers(headers).build(),
        batch.body(),
        batch.size(),
        load.acceptedNanos,
        load.onConfirm);
  }

  private String routingKey(@Nullable RoomId onlyRoom) {
    return onlyRoom == null
        ? Topology.routingKey(link.shard())
        : Topology.routingKey(link.shard(), onlyRoom);
  }

  /**
   * An AMQP message without content: it repeats the last sequence, or carries the mark of a binding
   * when nothing else does.
   */
  Flight beacon(ShardLink.OwnFlight last, long mark) {
    AMQP.BasicProperties properties =
        properties()
            .messageId(lane + "/" + last.sequence() + "/beacon")
            .headers(headers(last.sequence(), mark))
            .build();
    return new Flight(
        last.sequence(),
        Topology.routingKey(link.shard()),
        properties,
        new byte[0],
        0,
        last.acceptedNanos(),
        List.of());
  }

  @SuppressWarnings("JavaUtilDate") // the client library's type
  private AMQP.BasicProperties.Builder properties() {
    return new AMQP.BasicProperties.Builder()
        .appId(lane.serverId())
        .timestamp(new Date(clockMillis.getAsLong()))
        .deliveryMode(Topology.PERSISTENT);
  }

  private Map<String, Object> headers(long sequence, long mark) {
    Map<String, Object> headers = new HashMap<>();
    headers.put(Topology.HEADER_LANE, lane.toString());
    headers.put(Topology.HEADER_SEQUENCE, sequence);
    if (mark > 0) {
      headers.put(Topology.HEADER_BIND, mark);
    }
    return headers;
  }
}
