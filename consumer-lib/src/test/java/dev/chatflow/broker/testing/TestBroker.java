package dev.chatflow.broker.testing;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.broker.BrokerConfig;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/**
 * A broker of a test class: empty at its start, gone at its end; its faults are verbs.
 *
 * <p>Any thread may call; each verb returns when its effect is there for those who connect anew.
 */
public sealed interface TestBroker extends AutoCloseable
    permits EmbeddedTestBroker, RabbitTestBroker {

  /** Product and version. */
  String name();

  /** Where the system under test connects to. */
  URI uri();

  /** Number of connections that are open; RabbitMQ tells with a delay of seconds. */
  int connections();

  /** Fault: the broker ends every connection; all queues and messages stay. */
  void closeConnections();

  /** Fault: as {@link #closeConnections}, and nobody may connect until {@link #comeBack}. */
  void goAway();

  /** Ends {@link #goAway}. */
  void comeBack();

  /** Fault: deletes a queue under its consumer. */
  void deleteQueue(String queue);

  /** Whether it keeps queue arguments, and refuses others in a later declaration. */
  boolean knowsQueueArguments();

  @Override
  void close();

  default BrokerConfig config() {
    return BrokerConfig.of(uri());
  }

  /** A plain connection for what a test itself publishes, reads or declares. */
  default Connection connect() {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(uri());
      factory.setAutomaticRecoveryEnabled(false);
      return factory.newConnection("chatflow test");
    } catch (IOException | TimeoutException | GeneralSecurityException e) {
      throw new IllegalStateException("test cannot connect to " + name(), e);
    }
  }
}
