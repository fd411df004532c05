package dev.chatflow.lab.broker;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.embedded.EmbeddedFaults;
import dev.chatflow.room.Shard;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** The embedded broker in this process, with faults of its connections only. */
public final class EmbeddedNode implements FaultyBroker {

  private final EmbeddedBroker broker;
  private final EmbeddedFaults faults;

  private EmbeddedNode(EmbeddedBroker broker) {
    this.broker = broker;
    faults = new EmbeddedFaults(broker);
  }

  public static EmbeddedNode launch() throws BrokerException {
    return new EmbeddedNode(EmbeddedBroker.start());
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
  public void closeConnections(List<Duration> pauses) {
    for (Duration pause : pauses) {
      Pause.of(pause);
      faults.closeConnections();
    }
  }

  @Override
  public void stop() {
    faults.closePort();
  }

  @Override
  public void start() {
    faults.openPort();
  }

  @Override
  public void kill() {
    stop();
  }

  @Override
  public boolean isRabbit() {
    return false;
  }

  @Override
  public void alarm(boolean on) {
    throw new UnsupportedOperationException("the embedded broker has no memory alarm");
  }

  @Override
  public void diskAlarm(boolean on) {
    throw new UnsupportedOperationException("the embedded broker has no disk");
  }

  @Override
  public void shortenLogs(boolean on) {}

  @Override
  public long logBytes(Shard shard) {
    return 0;
  }

  @Override
  public void close() {
    broker.close();
  }
}
