package dev.chatflow.broker.testing;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.embedded.EmbeddedFaults;
import java.net.URI;

/** The embedded broker, a new one for each test class. */
final class EmbeddedTestBroker implements TestBroker {

  private final EmbeddedBroker broker;
  private final EmbeddedFaults faults;

  private EmbeddedTestBroker(EmbeddedBroker broker) {
    this.broker = broker;
    this.faults = new EmbeddedFaults(broker);
  }

  static EmbeddedTestBroker start() {
    try {
      return new EmbeddedTestBroker(EmbeddedBroker.start());
    } catch (BrokerException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public URI uri() {
    return broker.uri();
  }

  @Override
  public int connections() {
    return faults.connections();
  }

  @Override
  public void closeConnections() {
    faults.closeConnections();
  }

  @Override
  public void goAway() {
    faults.closePort();
  }

  @Override
  public void comeBack() {
    faults.openPort();
  }

  @Override
  public void deleteQueue(String queue) {
    faults.deleteQueue(queue);
  }

  @Override
  public boolean knowsQueueArguments() {
    return false;
  }

  @Override
  public void close() {
    broker.close();
  }

  @Override
  public String toString() {
    return name();
  }
}
