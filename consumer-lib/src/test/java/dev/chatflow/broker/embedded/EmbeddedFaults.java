package dev.chatflow.broker.embedded;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.qpid.server.model.Connection;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.transport.AMQPConnection;

/** What can go wrong with an embedded broker, on purpose. Any thread. */
public record EmbeddedFaults(EmbeddedBroker broker) {

  /** Number of connections that are open now. */
  public int connections() {
    return EmbeddedBroker.virtualHost(broker.broker()).getConnections().size();
  }

  /** Ends every connection as an operator would. */
  public void closeConnections() {
    for (Connection<?> connection :
        List.copyOf(EmbeddedBroker.virtualHost(broker.broker()).getConnections())) {
      if (connection instanceof AMQPConnection<?> open) {
        open.sendConnectionCloseAsync(
            AMQPConnection.CloseReason.MANAGEMENT, "closed by the test or an operator");
      }
    }
  }

  /** Stops listening, as a broker that is away; connections that are open end too. */
  public void closePort() {
    closeConnections();
    EmbeddedBroker.amqpPort(broker.broker()).delete();
  }

  /** Ends {@link #closePort}: listens again on the same port. */
  public void openPort() {
    if (broker.broker().getPorts().isEmpty()) {
      broker.broker().createChild(Port.class, broker.portAttributes());
    }
  }

  /** Deletes a queue under its consumer; this broker does not tell the consumer. */
  public void deleteQueue(String name) {
    EmbeddedBroker.queues(broker.broker()).stream()
        .filter(queue -> queue.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no queue " + name))
        .deleteAndReturnCount();
  }
}
