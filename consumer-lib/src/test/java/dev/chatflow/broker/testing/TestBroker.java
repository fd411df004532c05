package dev.chatflow.broker.testing;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.broker.BrokerConfig;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/**
 * A broker of a test class: empty at its start, removed at its end; its faults are methods.
 *
 * <p>Thread-safe; each method returns when its effect is visible to new connections.
 */
public sealed interface TestBroker extends AutoCloseable
    permits EmbeddedTestBroker, RabbitTestBroker {

  /** Returns product and version. */
  String name();

  /** Returns the address for the system under test. */
  URI uri();

  /** Returns the number of open connections; RabbitMQ reports it with a delay of seconds. */
  int connections();

  /** Fault: the broker ends every connection; all queues and messages are kept. */
  void closeConnections();

  /**
   * Fault: as {@link #closeConnections}, and new connections are rejected until {@link #comeBack}.
   */
  void goAway();

  /** Ends {@link #goAway}. */
  void comeBack();

  /** Fault: deletes a queue with a consumer. */
  void deleteQueue(String queue);

  /** Returns whether it keeps queue arguments, and rejects a later declaration with other ones. */
  boolean knowsQueueArguments();

  @Override
  void close();

  default BrokerConfig config() {
    return BrokerConfig.of(uri());
  }

  /** Opens a plain connection for the test's own publishes, reads and declarations. */
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
