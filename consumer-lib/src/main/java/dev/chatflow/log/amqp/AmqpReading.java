package dev.chatflow.log.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.BrokerReply;
import dev.chatflow.broker.Topology;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Inbox;
import dev.chatflow.log.Logs;
import dev.chatflow.message.DeadLetter;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A channel that reads one log; after close nothing is added to its inbox. A reading that starts
 * far from the end of a stream gets the past by {@link PastReading}, on a virtual thread.
 */
final class AmqpReading implements Logs.Reading {

  /** Entries of the past that wait for their acknowledgement. */
  private static final int MOST_OF_THE_PAST = 4 * Block.ENTRIES;

  /** Entries that the broker delivers at first where a block is searched. */
  private static final int FEW_ENTRIES = 4;

  /** Entries of the past that are acknowledged to the broker together. */
  private static final int ACK_ENTRIES = 16;

  private static final long SILENCE_SECONDS = 5;

  /** Receives the entries of a reading on the broker's threads, and those of its past before. */
  interface Receiver {

    /**
     * Called before the entry is put into the inbox.
     *
     * @param live whether it is not of the past
     */
    void arrived(Arrival arrival, AMQP.@Nullable BasicProperties properties, boolean live);
  }

  private final Channel channel;
  private final String log;
  private final EntryHeaders headers;
  private final int prefetch;
  private final Inbox inbox;
  private final Receiver receiver;
  private final Semaphore space = new Semaphore(MOST_OF_THE_PAST);
  private volatile boolean closed;

  /**
   * The number of entries of the past, whose tags come before those of the channel. Written by the
   * thread that reads the past, which ends before the channel's tags begin.
   */
  private volatile long pastEntries;

  // Used only by the reader's thread.
  private long acknowledged;

  AmqpReading(
      Channel channel,
      String log,
      EntryHeaders headers,
      int prefetch,
      Inbox inbox,
      Receiver receiver) {
    this.channel = channel;
    this.log = log;
    this.headers = headers;
    this.prefetch = prefetch;
    this.inbox = inbox;
    this.receiver = receiver;
  }

  /** Starts to read. */
  void open(Map<String, Object> arguments, Logs.Start start) throws IOException {
    channel.setDefaultConsumer(
        new DefaultConsumer(channel)); // an abandoned request may still be answered
    if (start instanceof Logs.Start.At(long offset, long end) && end - offset > MOST_OF_THE_PAST) {
      Thread _ = Thread.ofVirtual().name("chat-past").start(() -> readPast(offset, end));
    } else {
      follow(arguments);
    }
  }

  private void follow(Map<String, Object> arguments) throws IOException {
    channel.basicQos(prefetch);
    String _ = channel.basicConsume(log, false, "", false, false, arguments, new Live());
  }

  private void readPast(long from, long end) {
    try {
      long next = new PastReading(Entries::new, this::putPast).read(from, end);
      follow(at(next));
    } catch (IOException | RuntimeException e) {
      inbox.end(BrokerReply.text(e)); // a closed reading has no reader
    }
  }

  private static Map<String, Object> at(long offset) {
    return Map.of(Topology.STREAM_OFFSET, offset);
  }

  private void putPast(Arrival arrival) throws IOException {
    space.acquireUninterruptibly();
    throwIfClosed();
    long tag = pastEntries + 1;
    pastEntries = tag;
    Arrival tagged = arrival.withTag(tag);
    receiver.arrived(tagged, null, false);
    inbox.put(tagged);
  }

  private void throwIfClosed() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
  }

  /** Puts what the broker delivers into the inbox of the reading. */
  private final class Live extends Delivered {

    Live() {
      super(inbox);
    }

    @Override
    void delivered(Arrival arrival, AMQP.BasicProperties properties) {
      if (!closed) {
        Arrival tagged = arrival.withTag(pastEntries + arrival.tag());
        receiver.arrived(tagged, properties, true);
        inbox.put(tagged);
      }
    }
  }

  /** Part of the past, from an offset on. */
  private final class Entries implements PastReading.Entries {
    private final Semaphore changes = new Semaphore(0);
    private final Inbox arrived;
    private final String consumer;
    private long tag;
    private int unacknowledged;

    Entries(long offset, boolean few) throws IOException {
      arrived = new Inbox(prefetch, changes::release);
      channel.basicQos(few ? FEW_ENTRIES : prefetch);
      Delivered deliveries =
          new Delivered(arrived) {
            @Override
            void delivered(Arrival arrival, AMQP.BasicProperties properties) {
              arrived.put(arrival);
            }
          };
      consumer = channel.basicConsume(log, false, "", false, false, at(offset), deliveries);
    }

    @Override
    public Arrival next() throws IOException {
      if (!changes.tryAcquire()) {
        acknowledge();
        await();
      }
      throwIfClosed();
      Arrival next = arrived.poll();
      if (next == null) {
        throw new IOException(Objects.requireNonNullElse(arrived.ended(), "nothing comes"));
      }
      tag = next.tag();
      unacknowledged++;
      if (unacknowledged >= ACK_ENTRIES) {
        acknowledge();
      }
      return next;
    }

    private void await() throws IOException {
      try {
        boolean _ = changes.tryAcquire(SILENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    private void acknowledge() throws IOException {
      if (unacknowledged > 0) {
        unacknowledged = 0;
        channel.basicAck(tag, true);
      }
    }

    @Override
    public void close() throws IOException {
      channel.basicCancel(consumer);
    }
  }

  /** Decodes deliveries. The connection's thread calls. */
  private abstract class Delivered extends DefaultConsumer {
    private final Inbox ending;

    Delivered(Inbox ending) {
      super(channel);
      this.ending = ending;
    }

    abstract void delivered(Arrival arrival, AMQP.BasicProperties properties);

    @Override
    public void handleDelivery(
        String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      delivered(
          headers.arrival(envelope.getDeliveryTag(), properties, body, System.nanoTime()),
          properties);
    }

    @Override
    public void handleCancel(String consumerTag) {
      ending.end("the log was deleted");
    }

    @Override
    public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
      ending.end(BrokerReply.text(signal));
    }
  }

  @Override
  public void ackUpTo(long tag) throws BrokerException {
    long ofPast = Math.min(tag, pastEntries);
    space.release((int) (ofPast - acknowledged));
    acknowledged = ofPast;
    if (tag == ofPast) {
      return;
    }
    try {
      channel.basicAck(tag - ofPast, true);
    } catch (IOException | ShutdownSignalException e) {
      throw new BrokerException("cannot acknowledge: " + BrokerReply.text(e), e);
    }
  }

  @Override
  public void sendDeadLetter(DeadLetter letter) throws BrokerException {
    try {
      AmqpLogs.publish(channel, letter);
    } catch (IOException | ShutdownSignalException e) {
      throw new BrokerException("cannot send a dead letter: " + BrokerReply.text(e), e);
    }
  }

  /** Closes the channel without waiting for the answer. */
  @Override
  public void close() {
    closed = true;
    space.release(MOST_OF_THE_PAST);
    if (channel.isOpen()) {
      Thread.startVirtualThread(() -> {
        try {
          channel.abort();
        } catch (IOException | ShutdownSignalException _) {
          // closed is the goal
        }
      });
    }
  }
}
