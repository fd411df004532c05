package dev.chatflow.lab.broker;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A broker of the scenarios' own; its faults are verbs that return when they have happened. */
public sealed interface FaultyBroker extends AutoCloseable permits EmbeddedNode, Rabbit {

  /** What one does to a broker over AMQP. */
  interface Deed {
    void on(Channel channel) throws IOException;
  }

  /** Product and version. */
  String name();

  URI uri();

  /** After each of these pauses every connection ends; all queues and messages stay. */
  void closeConnections(List<Duration> pauses) throws IOException;

  /** Stops in order; durable queues and messages stay. */
  void stop() throws IOException;

  /** Ends {@link #stop} and {@link #kill}; returns at once or when it serves. */
  void start() throws IOException;

  /** The process dies. The embedded broker lives in ours: it only stops listening. */
  void kill() throws IOException;

  /** Whether it is a RabbitMQ: a process that can be killed, with a memory alarm. */
  boolean isRabbit();

  /** Begins or ends a memory alarm. */
  void alarm(boolean on) throws IOException;

  /** Begins or ends a disk alarm: below its limit whatever is free. */
  void diskAlarm(boolean on) throws IOException;

  /**
   * Begins or ends to bound each log to some 20 MB instead of 256; those of the embedded broker are
   * no longer anyway.
   */
  void shortenLogs(boolean on) throws IOException;

  /** Bytes on disk of a shard's log, all copies; 0 where it has no disk. */
  long logBytes(Shard shard) throws IOException;

  /** Whether a client may connect and declare now. */
  default boolean serves() {
    try {
      onChannel(channel -> channel.queueDeclare("", false, true, true, null));
      return true;
    } catch (IOException | TimeoutException _) {
      return false;
    }
  }

  /** Does something as any client could. */
  default void onChannel(Deed deed) throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(uri());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    if ("/".equals(uri().getPath())) {
      factory.setVirtualHost("/");
    }
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(1_000);
    factory.setHandshakeTimeout(2_000);
    factory.setChannelRpcTimeout(2_000);
    try (Connection connection = factory.newConnection("chatflow chaos")) {
      deed.on(connection.createChannel());
    }
  }

  @Override
  void close();
}
