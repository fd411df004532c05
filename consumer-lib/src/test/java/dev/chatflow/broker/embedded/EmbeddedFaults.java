package dev.chatflow.broker.embedded;

import java.util.List;
import java.util.NoSuchElementException;
import org.apache.qpid.server.model.Connection;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.transport.AMQPConnection;

/** Faults of an embedded broker. Thread-safe. */
public record EmbeddedFaults(EmbeddedBroker broker) {

  /** Returns the number of open connections. */
  public int connections() {
    return EmbeddedBroker.virtualHost(broker.broker()).getConnections().size();
  }

  /** Ends every connection, as an operator would. */
  public void closeConnections() {
    for (Connection<?> connection :
        List.copyOf(EmbeddedBroker.virtualHost(broker.broker()).getConnections())) {
      if (connection instanceof AMQPConnection<?> open) {
        open.sendConnectionCloseAsync(
            AMQPConnection.CloseReason.MANAGEMENT, "closed by the test or an operator");
      }
    }
  }

  /** Stops listening, like an unavailable broker; open connections end too. */
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

  /** Deletes a queue with a consumer; this broker does not notify the consumer. */
  public void deleteQueue(String name) {
    EmbeddedBroker.queues(broker.broker()).stream()
        .filter(queue -> queue.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no queue " + name))
        .deleteAndReturnCount();
  }
}
