package dev.chatflow.consumer.room;

import static java.util.Objects.requireNonNull;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.consumer.room.ShardLink.OwnFlight;
import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.line.Batch;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Publishes as a lane does, one AMQP message at a time until it is confirmed, and can go wrong on
 * purpose.
 */
public final class TestLane implements AutoCloseable {

  private static final long CONFIRM_MILLIS = 5_000;

  private final TestBroker broker;
  private final Lane lane;
  private final @Nullable ShardLink link;
  private @Nullable Connection connection;
  private @Nullable Channel channel;
  private AMQP.BasicProperties lastProperties = new AMQP.BasicProperties();
  private byte[] lastBody = new byte[0];
  private long sequence;
  private long generation;
  private boolean owesMark;

  /** The lane of the server under test. */
  public TestLane(TestBroker broker, Lane lane, ShardLink own) {
    this.broker = broker;
    this.lane = lane;
    this.link = own;
  }

  /** The lane of another server. */
  public TestLane(TestBroker broker, Lane lane) {
    this.broker = broker;
    this.lane = lane;
    this.link = null;
  }

  /** Binds the shard to the own queue, as the next generation. */
  TestLane bind() throws Exception {
    generation++;
    return bindAgain();
  }

  /** Binds the shard to the own queue, as the same generation. */
  TestLane bindAgain() throws Exception {
    ShardLink own = requireNonNull(link);
    OwnQueue queue = requireNonNull(own.awaitQueue(10_000));
    own.binding(generation);
    Topology.bind(channel(), queue.name(), new Shard(lane.shard()));
    owesMark = true;
    return this;
  }

  public void send(ChatMessage... messages) throws Exception {
    sequence++;
    Batch batch = new Batch();
    for (ChatMessage message : messages) {
      batch.add(message.room(), LineWriter.line(message));
    }
    publish(batch.body());
  }

  public void send(String body) throws Exception {
    sequence++;
    publish(body.getBytes(StandardCharsets.UTF_8));
  }

  public void beacon() throws Exception {
    publish(new byte[0]);
  }

  /** The broker loses the next message. */
  public void lose() {
    sequence++;
  }

  /** The last message once more, the same bytes. */
  public void sendAgain() throws Exception {
    publishLast();
  }

  private void publish(byte[] body) throws Exception {
    Map<String, Object> headers = new HashMap<>();
    headers.put(Topology.HEADER_LANE, lane.toString());
    headers.put(Topology.HEADER_SEQUENCE, sequence);
    if (owesMark) {
      headers.put(Topology.HEADER_BIND, generation);
      owesMark = false;
    }
    lastBody = body;
    lastProperties =
        new AMQP.BasicProperties.Builder()
            .contentType("application/x-ndjson")
            .deliveryMode(2)
            .headers(headers)
            .build();
    publishLast();
  }

  private void publishLast() throws Exception {
    long now = System.nanoTime();
    if (link != null) {
      link.published(new OwnFlight(sequence, now, now));
    }
    while (!isConfirmed()) {
      channel = null; // the same bytes again on another
    }
    if (link != null) {
      link.confirmed(sequence, System.nanoTime());
    }
  }

  private boolean isConfirmed() throws Exception {
    try {
      Channel open = channel();
      String key = Topology.routingKey(new Shard(lane.shard()));
      open.basicPublish(Topology.EXCHANGE, key, lastProperties, lastBody);
      return open.waitForConfirms(CONFIRM_MILLIS);
    } catch (IOException | ShutdownSignalException _) {
      return false;
    }
  }

  private Channel channel() throws Exception {
    Channel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      connection = broker.connect();
      open = connection.createChannel();
      open.confirmSelect();
      channel = open;
    }
    return open;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.abort();
    }
  }
}
