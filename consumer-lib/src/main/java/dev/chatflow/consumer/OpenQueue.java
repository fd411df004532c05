package dev.chatflow.consumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.Topology;
import dev.chatflow.message.line.DeadLetter;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer thread's queue while one channel reads it: the channel, its hand-off and its ack
 * window, which begin and die together.
 *
 * <p>Belongs to the consumer thread.
 */
final class OpenQueue {

  private final String name;
  private final Channel channel;
  private final HandOff handOff;
  private final AckWindow window;

  private OpenQueue(String name, Channel channel, HandOff handOff, AckWindow window) {
    this.name = name;
    this.channel = channel;
    this.handOff = handOff;
    this.window = window;
  }

  /**
   * Opens a channel on a queue that is declared and starts to read.
   *
   * @param alone refuses, and is refused beside, another reader
   */
  static OpenQueue open(
      Connection connection, String name, boolean alone, int prefetch, ConsumerMeter meter)
      throws BrokerException {
    OpenQueue open = null;
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new BrokerException("no channel left to read queue " + name);
      }
      AckWindow window = new AckWindow(tag -> channel.basicAck(tag, true), meter);
      open = new OpenQueue(name, channel, new HandOff(channel, prefetch), window);
      channel.basicQos(prefetch);
      channel.basicConsume(name, false, "", false, alone, Map.of(), open.handOff);
      return open;
    } catch (IOException | ShutdownSignalException e) {
      if (open != null) {
        open.abandon();
      }
      throw new BrokerException("cannot read queue " + name + ": " + BrokerReply.text(e), e);
    }
  }

  /** The next delivery; waits for it no longer than the window's oldest may stay unacknowledged. */
  @Nullable Delivery poll() throws InterruptedException {
    return handOff.poll(AckWindow.PATIENCE_NANOS);
  }

  /** What was handed over before the channel ended, or null when that is used up. */
  @Nullable Delivery leftOver() {
    return handOff.poll();
  }

  /** Why nothing more will come by this channel, or null while more may. */
  @Nullable String ended() {
    String ended = handOff.ended();
    return ended == null && !channel.isOpen() ? "channel closed" : ended;
  }

  void appended(Delivery delivery) throws BrokerException {
    onChannel(() -> window.appended(delivery.tag(), System.nanoTime()));
  }

  void tick() throws BrokerException {
    onChannel(() -> window.tick(System.nanoTime()));
  }

  /** The same channel as the acks: a broker that took the ack has taken the dead letter before. */
  void bury(DeadLetter letter) throws BrokerException {
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .deliveryMode(Topology.PERSISTENT)
            .headers(Map.of(Topology.HEADER_REASON, letter.reason()))
            .build();
    onChannel(() -> channel.basicPublish(Topology.DEAD_EXCHANGE, "", properties, letter.body()));
  }

  /** Gives the channel up: the broker delivers again what was not acknowledged. */
  void abandon() {
    window.forget();
    try {
      channel.abort();
    } catch (IOException | ShutdownSignalException _) {
      // Closed is what we wanted.
    }
  }

  /**
   * Ends in peace: acknowledges what was appended.
   *
   * @param delete whether nobody will read the queue again
   */
  void end(boolean delete) throws BrokerException {
    onChannel(() -> {
      window.flush();
      if (delete) {
        channel.queueDelete(name);
      }
      channel.close();
    });
  }

  private interface Step {
    void run() throws IOException, TimeoutException;
  }

  private void onChannel(Step step) throws BrokerException {
    try {
      step.run();
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw new BrokerException("channel of queue " + name + " failed: " + BrokerReply.text(e), e);
    }
  }
}
