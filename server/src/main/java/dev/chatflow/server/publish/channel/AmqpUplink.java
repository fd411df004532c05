package dev.chatflow.server.publish.channel;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import java.io.IOException;
import java.time.Duration;

/** The uplink over the broker's client library. Any thread. */
public final class AmqpUplink implements Uplink {

  /** Channels are asked for when a connection was just seen: it need not be waited for long. */
  private static final Duration CONNECTION_PATIENCE = Duration.ofMillis(100);

  private final BrokerConnector connector;
  private final AmqpChannel.Patience patience;

  public AmqpUplink(BrokerConnector connector, Duration confirmTimeout) {
    this.connector = connector;
    this.patience =
        new AmqpChannel.Patience(
            confirmTimeout, () -> connector.state() == BrokerConnector.State.BLOCKED);
  }

  @Override
  public boolean awaitOpen(Duration patience) throws InterruptedException {
    try {
      connector.await(patience);
      return true;
    } catch (BrokerException _) {
      return false;
    }
  }

  @Override
  public PooledChannel openChannel() throws BrokerException {
    try {
      Channel channel = connector.await(CONNECTION_PATIENCE).createChannel();
      if (channel == null) {
        throw new BrokerException("no channel left on the connection");
      }
      return AmqpChannel.of(channel, patience);
    } catch (IOException | ShutdownSignalException e) {
      throw new BrokerException("cannot open a channel: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerException("interrupted while a channel was opened", e);
    }
  }
}
