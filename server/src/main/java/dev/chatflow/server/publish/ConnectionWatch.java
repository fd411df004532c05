package dev.chatflow.server.publish;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells the circuit when the publisher connection comes and goes.
 *
 * <p>One thread, {@code chat-publish-watch}, waits for connections; their end is told by the client
 * library's own.
 */
final class ConnectionWatch {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long RETRY_MILLIS = 10;

  private final BrokerConnector connector;
  private final Circuit circuit;
  private final Runnable onConnected;
  private final Thread thread =
      Thread.ofPlatform().name("chat-publish-watch").daemon().unstarted(this::run);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * Makes a watch that does nothing before {@link #start}.
   *
   * @param onConnected runs after the circuit was told of a connection; must not park
   */
  ConnectionWatch(BrokerConnector connector, Circuit circuit, Runnable onConnected) {
    this.connector = connector;
    this.circuit = circuit;
    this.onConnected = onConnected;
  }

  void start() {
    thread.start();
  }

  private void run() {
    Connection last = null;
    try {
      while (stopped.getCount() > 0) {
        Connection next = awaitConnection();
        if (next == null || next.equals(last)) {
          stopped.await(RETRY_MILLIS, TimeUnit.MILLISECONDS); // its end is not yet known to all
        } else {
          last = next;
          follow(next);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private @Nullable Connection awaitConnection() throws InterruptedException {
    try {
      return connector.await(PATIENCE);
    } catch (BrokerException _) {
      return null;
    }
  }

  private void follow(Connection connection) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    circuit.connected();
    // Runs at once when the connection has ended already.
    connection.addShutdownListener(signal -> {
      if (stopped.getCount() > 0) { // a stop closes the connection on purpose
        circuit.lost("connection lost: " + BrokerReply.text(signal));
      }
      end.countDown();
    });
    onConnected.run();
    end.await();
  }

  void close() {
    stopped.countDown();
    thread.interrupt();
  }
}
