package dev.chatflow.record;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.Headers;
import dev.chatflow.message.Batch;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.LineWriter;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Publishes like a lane, one AMQP message at a time until it is confirmed, with optional faults.
 */
public final class TestLane implements AutoCloseable {

  private static final long CONFIRM_MILLIS = 5_000;

  private final TestBroker broker;
  private final Lane lane;
  private @Nullable Connection connection;
  private @Nullable Channel channel;
  private AMQP.BasicProperties lastProperties = new AMQP.BasicProperties();
  private byte[] lastBody = new byte[0];
  private long sequence;
  private long read;

  public TestLane(TestBroker broker, Lane lane) {
    this.broker = broker;
    this.lane = lane;
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
    sequence++;
    publish(new byte[0]);
  }

  /** Makes the broker lose the next message. */
  public void lose() {
    sequence++;
  }

  /** Publishes the last message again, with the same bytes. */
  public void sendAgain() throws Exception {
    publishLast();
  }

  private void publish(byte[] body) throws Exception {
    Map<String, Object> headers = new HashMap<>();
    headers.put(Lane.HEADER, lane.toString());
    headers.put(Lane.HEADER_NUMBER, sequence);
    headers.put(Headers.READ, read);
    headers.put(Headers.TIME, System.currentTimeMillis());
    lastBody = body;
    lastProperties =
        new AMQP.BasicProperties.Builder()
            .contentType("application/x-ndjson")
            .deliveryMode(2)
            .headers(headers)
            .build();
    publishLast();
    read = sequence;
  }

  private void publishLast() throws Exception {
    while (!isConfirmed()) {
      channel = null; // the same bytes again on another channel
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
