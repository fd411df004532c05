package dev.chatflow.server.publish.channel;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A channel of the broker's client library.
 *
 * <p>Its holder's thread calls; acks, nacks, returns and the end come by the connection's thread
 * and go to the one flight in the air.
 */
final class AmqpChannel implements PooledChannel {

  /** How long a lane waits for a confirm, and whether that time runs now. */
  record Patience(Duration timeout, BooleanSupplier blocked) {}

  private interface Step {
    void run() throws IOException;
  }

  private final Channel channel;
  private final Patience patience;

  private volatile @Nullable PendingConfirm inTheAir;

  private AmqpChannel(Channel channel, Patience patience) {
    this.channel = channel;
    this.patience = patience;
  }

  /** Puts a fresh channel into confirm mode. */
  static AmqpChannel of(Channel channel, Patience patience) throws IOException {
    AmqpChannel made = new AmqpChannel(channel, patience);
    channel.addConfirmListener(made.new Confirms());
    channel.addReturnListener(made::returned);
    channel.addShutdownListener(made::ended);
    channel.confirmSelect();
    return made;
  }

  private final class Confirms implements ConfirmListener {
    @Override
    public void handleAck(long tag, boolean multiple) {
      PendingConfirm pending = inTheAir;
      if (pending != null) {
        pending.acked(tag, multiple);
      }
    }

    @Override
    public void handleNack(long tag, boolean multiple) {
      PendingConfirm pending = inTheAir;
      if (pending != null) {
        pending.nacked(tag, multiple);
      }
    }
  }

  private void returned(Return back) {
    PendingConfirm pending = inTheAir;
    if (pending != null) {
      pending.returned(back.getProperties().getMessageId(), back.getReplyText());
    }
  }

  private void ended(ShutdownSignalException signal) {
    PendingConfirm pending = inTheAir;
    if (pending != null) {
      pending.ended(failure(signal));
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public Confirm send(Flight flight) throws InterruptedException {
    PendingConfirm pending = new PendingConfirm(flight.messageId(), channel.getNextPublishSeqNo());
    inTheAir = pending;
    Confirm published =
        attempt(() ->
            channel.basicPublish(
                Topology.EXCHANGE, flight.routingKey(), true, flight.properties(), flight.body()));
    if (!(published instanceof Confirm.Acked)) {
      return published;
    }
    return pending.await(patience.timeout(), patience.blocked());
  }

  @Override
  public Confirm bind(String queue, Shard shard) {
    return attempt(() -> Topology.bind(channel, queue, shard));
  }

  @Override
  public Confirm unbind(String queue, Shard shard) {
    return attempt(() -> Topology.unbind(channel, queue, shard));
  }

  private static Confirm attempt(Step step) {
    try {
      step.run();
      return new Confirm.Acked();
    } catch (IOException | ShutdownSignalException e) {
      return failure(e);
    }
  }

  /** A missing queue or exchange closes the channel: nothing was taken, as with a return. */
  private static Confirm failure(Exception failure) {
    return BrokerReply.code(failure) == AMQP.NOT_FOUND
        ? new Confirm.Returned(BrokerReply.text(failure))
        : new Confirm.Lost(BrokerReply.text(failure));
  }

  /** On a thread of its own, because it waits for the broker's answer. */
  @Override
  public void close() {
    if (channel.isOpen()) {
      Thread.startVirtualThread(this::abort);
    }
  }

  private void abort() {
    try {
      channel.abort();
    } catch (IOException | ShutdownSignalException _) {
      // Closed is what we wanted.
    }
  }
}
