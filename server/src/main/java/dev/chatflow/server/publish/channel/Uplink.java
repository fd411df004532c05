package dev.chatflow.server.publish.channel;

import dev.chatflow.broker.BrokerException;
import java.time.Duration;

/** The publisher connection, as lanes and pool need it. Any thread. */
public interface Uplink {

  /** Waits until there is a connection; false when there is none within {@code patience}. */
  boolean awaitOpen(Duration patience) throws InterruptedException;

  /** A new channel in confirm mode. */
  PooledChannel openChannel() throws BrokerException;
}
