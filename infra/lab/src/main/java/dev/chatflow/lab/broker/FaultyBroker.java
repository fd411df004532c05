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

/**
 * A broker for scenarios, with methods that cause faults and return when these have taken effect.
 */
public sealed interface FaultyBroker extends AutoCloseable permits EmbeddedNode, Rabbit {

  /** An operation on a broker over AMQP. */
  interface Deed {
    void on(Channel channel) throws IOException;
  }

  /** Returns product and version. */
  String name();

  URI uri();

  /** Closes every connection after each of these pauses; all queues and messages stay. */
  void closeConnections(List<Duration> pauses) throws IOException;

  /** Shuts down cleanly; durable queues and messages stay. */
  void stop() throws IOException;

  /** Starts again after {@link #stop} or {@link #kill}; may return before it serves. */
  void start() throws IOException;

  /**
   * Kills the process. The embedded broker, which shares the scenario's process, only stops
   * listening.
   */
  void kill() throws IOException;

  /** Returns whether it is a RabbitMQ, which can be killed and has a memory alarm. */
  boolean isRabbit();

  /** Starts or ends a memory alarm. */
  void alarm(boolean on) throws IOException;

  /** Starts or ends a disk alarm by setting its limit above the free space. */
  void diskAlarm(boolean on) throws IOException;

  /**
   * Sets or removes a bound of about 20 MB per shard log instead of 256. Logs of the embedded
   * broker are never longer.
   */
  void shortenLogs(boolean on) throws IOException;

  /** Returns the bytes on disk of all copies of a shard log; 0 without a disk. */
  long logBytes(Shard shard) throws IOException;

  /** Returns whether a client can connect and declare now. */
  default boolean serves() {
    try {
      onChannel(channel -> channel.queueDeclare("", false, true, true, null));
      return true;
    } catch (IOException | TimeoutException _) {
      return false;
    }
  }

  /** Runs an operation as an AMQP client. */
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
