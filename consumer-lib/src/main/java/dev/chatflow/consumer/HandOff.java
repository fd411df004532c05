package dev.chatflow.consumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerReply;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a channel has delivered and its consumer thread has not taken yet.
 *
 * <p>The client library's threads put, the consumer thread polls. Bounded by the channel's
 * prefetch, so it is never full unless the broker ignores that: then the channel ends.
 */
final class HandOff extends DefaultConsumer {

  private final BlockingQueue<Delivery> deliveries;
  private volatile @Nullable String ended;

  HandOff(Channel channel, int capacityMessages) {
    super(channel);
    this.deliveries = new ArrayBlockingQueue<>(capacityMessages);
  }

  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    Delivery delivery =
        new Delivery(envelope.getDeliveryTag(), properties, body, System.nanoTime());
    // After a refusal nothing more may enter: an order with a hole would look like a loss.
    if (ended == null && !deliveries.offer(delivery)) {
      ended = "the broker delivers beyond the prefetch";
    }
  }

  @Override
  public void handleCancel(String consumerTag) {
    ended = "the queue was deleted";
  }

  @Override
  public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
    ended = BrokerReply.text(signal);
  }

  /** The next delivery, or null when none comes in time. */
  @Nullable Delivery poll(long nanos) throws InterruptedException {
    return deliveries.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /** The next delivery, or null when none is there. */
  @Nullable Delivery poll() {
    return deliveries.poll();
  }

  /** Why nothing more will come, or null while more may. */
  @Nullable String ended() {
    return ended;
  }
}
