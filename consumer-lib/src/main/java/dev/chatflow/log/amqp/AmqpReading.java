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
import java.util.concurrent.Semaphore;

/**
 * A channel that reads one log; after close nothing is added to its inbox. A reading that starts
 * far from the end of a stream gets the past by {@link PastReading}, on a virtual thread.
 */
final class AmqpReading implements Logs.Reading {

  /** A reading that starts further than this from the end of the log gets the past by blocks. */
  private static final int FAR_ENTRIES = 4 * Block.ENTRIES;

  /** Maximum number of entries of the past that the reader has not acknowledged. */
  private static final int MAX_PAST_ENTRIES = 4 * Block.ENTRIES;

  /** Number of entries that the broker delivers at once where a block is searched. */
  private static final int FEW_ENTRIES = 4;

  /** Number of entries of the past that are acknowledged to the broker together. */
  private static final int ACK_ENTRIES = 16;

  /** Receives each entry before the inbox does. */
  interface Receiver {

    /** Receives an entry of the past: before all others, and on the thread that reads the past. */
    void past(Arrival arrival);

    /** Receives any other entry, on the connection's thread. */
    void live(Arrival arrival, AMQP.BasicProperties properties);
  }

  private final Channel channel;
  private final String log;
  private final EntryHeaders headers;
  private final int prefetch;
  private final Inbox inbox;
  private final Receiver receiver;
  private final Semaphore space = new Semaphore(MAX_PAST_ENTRIES);
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

  /**
   * Starts to read.
   *
   * @param stream whether the log is a stream; otherwise it is a ring
   */
  void open(boolean stream, Logs.Start start) throws IOException {
    channel.setDefaultConsumer(
        new DefaultConsumer(channel)); // an abandoned request may still be answered
    if (start instanceof Logs.Start.At(long offset, long end) && end - offset > FAR_ENTRIES) {
      Thread _ = Thread.ofVirtual().name("chat-past").start(() -> readPast(offset, end));
    } else {
      follow(arguments(stream, start));
    }
  }

  private void readPast(long from, long end) {
    try {
      long next = new PastReading(Entries::new, this::putPast).read(from, end);
      follow(from(next));
    } catch (IOException | RuntimeException e) {
      inbox.end(BrokerReply.text(e)); // the inbox of a closed reading is not polled
    }
  }

  private void putPast(Arrival arrival) throws IOException {
    space.acquireUninterruptibly();
    throwIfClosed();
    long tag = pastEntries + 1;
    pastEntries = tag;
    Arrival tagged = arrival.withTag(tag);
    receiver.past(tagged);
    inbox.put(tagged);
  }

  private void throwIfClosed() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
  }

  private void follow(Map<String, Object> arguments) throws IOException {
    String _ = consume(prefetch, arguments, new Deliveries(inbox, true));
  }

  private String consume(int atOnce, Map<String, Object> arguments, Deliveries deliveries)
      throws IOException {
    channel.basicQos(atOnce);
    return channel.basicConsume(log, false, "", false, false, arguments, deliveries);
  }

  private static Map<String, Object> arguments(boolean stream, Logs.Start start) {
    if (!stream) {
      return Map.of(Topology.RING_REPLAY, Topology.RING_REPLAY_ALL);
    }
    return switch (start) {
      case Logs.Start.Last _ -> from("last");
      case Logs.Start.Oldest _ -> from("first");
      case Logs.Start.At(long offset, _) -> from(offset);
    };
  }

  private static Map<String, Object> from(Object offset) {
    return Map.of(Topology.STREAM_OFFSET, offset);
  }

  /** Puts what the broker delivers into an inbox. The connection's thread calls. */
  private final class Deliveries extends DefaultConsumer {
    private final Inbox to;
    private final boolean live;

    Deliveries(Inbox to, boolean live) {
      super(channel);
      this.to = to;
      this.live = live;
    }

    @Override
    public void handleDelivery(
        String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      if (closed) {
        return;
      }
      long tag = envelope.getDeliveryTag() + (live ? pastEntries : 0);
      Arrival arrival = headers.arrival(tag, properties, body, System.nanoTime());
      if (live) {
        receiver.live(arrival, properties);
      }
      to.put(arrival);
    }

    @Override
    public void handleCancel(String consumerTag) {
      to.end("the log was deleted");
    }

    @Override
    public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
      to.end(BrokerReply.text(signal));
    }
  }

  /** Part of the past, from an offset on. If nothing comes, the reader closes the reading. */
  private final class Entries implements PastReading.Entries {
    private final Semaphore changes = new Semaphore(0);
    private final Inbox arrived = new Inbox(prefetch, changes::release);
    private final String consumer;
    private long tag;
    private int unacknowledged;

    Entries(long offset, boolean few) throws IOException {
      consumer =
          consume(few ? FEW_ENTRIES : prefetch, from(offset), new Deliveries(arrived, false));
    }

    @Override
    public Arrival next() throws IOException {
      if (!changes.tryAcquire()) {
        acknowledge();
        changes.acquireUninterruptibly();
      }
      throwIfClosed();
      Arrival next = arrived.poll();
      if (next == null) {
        throw new IOException(arrived.ended());
      }
      tag = next.tag();
      unacknowledged++;
      if (unacknowledged >= ACK_ENTRIES) {
        acknowledge();
      }
      return next;
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
    space.release(MAX_PAST_ENTRIES);
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
