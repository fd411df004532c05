package dev.chatflow.broker.testing;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.net.URI;

/** The embedded broker, a new one for each test class. */
final class EmbeddedTestBroker implements TestBroker {

  private final EmbeddedBroker broker;

  private EmbeddedTestBroker(EmbeddedBroker broker) {
    this.broker = broker;
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
    return broker.connections();
  }

  @Override
  public void closeConnections() {
    broker.closeConnections();
  }

  @Override
  public void goAway() {
    broker.closePort();
  }

  @Override
  public void comeBack() {
    broker.openPort();
  }

  @Override
  public void deleteQueue(String queue) {
    broker.deleteQueue(queue);
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
