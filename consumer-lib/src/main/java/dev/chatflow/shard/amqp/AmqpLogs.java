package dev.chatflow.shard.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import dev.chatflow.shard.reader.DeadLetter;
import dev.chatflow.shard.reader.Inbox;
import dev.chatflow.shard.reader.Logs;
import java.io.IOException;
import java.util.Map;

/**
 * Shards' logs over the broker's client library. The readers' threads call; what comes is put into
 * their inboxes by the connection's threads.
 */
public final class AmqpLogs implements Logs {

  private final BrokerConnector connector;

  public AmqpLogs(BrokerConnector connector) {
    this.connector = connector;
  }

  @Override
  public boolean isOpen() {
    return connector.connection() != null;
  }

  private Connection connection() throws BrokerException {
    Connection open = connector.connection();
    if (open == null) {
      throw new BrokerException("no broker connection: " + connector.trouble());
    }
    return open;
  }

  @Override
  public boolean haveOffsets() {
    Connection open = connector.connection();
    return open != null && Topology.hasStreams(open);
  }

  @Override
  public void ensure(Shard shard) throws BrokerException {
    Topology.declareLog(connection(), shard);
  }

  @Override
  public Reading read(Shard shard, Start start, int prefetch, Inbox inbox) throws BrokerException {
    Connection connection = connection();
    Topology.declareLog(connection, shard);
    String log = Topology.log(shard);
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new BrokerException("no channel left to read " + log);
      }
      Open open = new Open(channel, shard, inbox);
      channel.basicQos(prefetch);
      channel.basicConsume(
          log, false, "", false, false, arguments(Topology.hasStreams(connection), start), open);
      return open;
    } catch (IOException | ShutdownSignalException e) {
      throw new BrokerException("cannot read " + log + ": " + BrokerReply.text(e), e);
    }
  }

  private static Map<String, Object> arguments(boolean stream, Start start) {
    if (!stream) {
      return Map.of(Topology.RING_REPLAY, Topology.RING_REPLAY_ALL);
    }
    return Map.of(
        Topology.STREAM_OFFSET,
        switch (start) {
          case Start.Last _ -> "last";
          case Start.Oldest _ -> "first";
          case Start.At(long offset) -> offset;
        });
  }

  /** One channel that reads; after its close nothing more enters the inbox. */
  private static final class Open extends DefaultConsumer implements Reading {

    private final Inbox inbox;
    private final EntryHeaders headers;
    private volatile boolean closed;

    Open(Channel channel, Shard shard, Inbox inbox) {
      super(channel);
      this.inbox = inbox;
      this.headers = new EntryHeaders(shard);
    }

    @Override
    public void handleDelivery(
        String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      if (!closed) {
        inbox.put(headers.arrival(envelope.getDeliveryTag(), properties, body, System.nanoTime()));
      }
    }

    @Override
    public void handleCancel(String consumerTag) {
      inbox.end("the log was deleted");
    }

    @Override
    public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
      inbox.end(BrokerReply.text(signal));
    }

    @Override
    public void ackUpTo(long tag) throws BrokerException {
      try {
        getChannel().basicAck(tag, true);
      } catch (IOException | ShutdownSignalException e) {
        throw new BrokerException("cannot acknowledge: " + BrokerReply.text(e), e);
      }
    }

    @Override
    public void bury(DeadLetter letter) throws BrokerException {
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .deliveryMode(Topology.PERSISTENT)
              .headers(Map.of(Topology.HEADER_REASON, letter.reason()))
              .build();
      try {
        getChannel().basicPublish(Topology.DEAD_EXCHANGE, "", properties, letter.body());
      } catch (IOException | ShutdownSignalException e) {
        throw new BrokerException("cannot bury a line: " + BrokerReply.text(e), e);
      }
    }

    /** The answer is not waited for: nothing of this channel is taken any more. */
    @Override
    public void close() {
      closed = true;
      if (getChannel().isOpen()) {
        Thread.startVirtualThread(
            () -> {
              try {
                getChannel().abort();
              } catch (IOException | ShutdownSignalException _) {
                // Closed is what we wanted.
              }
            });
      }
    }
  }
}
