package dev.chatflow.log.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.BlockOutlet;
import dev.chatflow.log.Headers;
import dev.chatflow.log.Inbox;
import dev.chatflow.log.Logs;
import dev.chatflow.room.Shard;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.InflaterInputStream;

/**
 * Reads the past of a log by its blocks. The embedded broker's logs have no offsets, so no blocks.
 */
class AmqpReadingIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Shard SHARD = new Shard(3);
  private static final Lane LANE = new Lane("test", System.currentTimeMillis(), SHARD.index());
  private static final int BLOCKS = 5;
  private static final int ENTRIES = BLOCKS * Block.ENTRIES + 200;
  private static final int BEFORE_A_BLOCK = 30;
  private static final int FROM = 300;
  private static final int PREFETCH = 64;

  /** Publishes blocks in which each text says so. */
  private static final class MarkedBlocks implements BlockOutlet {
    private final Channel channel;
    private final AtomicInteger published = new AtomicInteger();

    MarkedBlocks(Connection connection) throws IOException {
      channel = connection.createChannel();
    }

    @Override
    public boolean isOwn(Lane lane) {
      return lane.equals(LANE);
    }

    @Override
    public synchronized void publish(Shard shard, byte[] block) {
      try {
        byte[] content = new InflaterInputStream(new ByteArrayInputStream(block)).readAllBytes();
        String text = new String(content, StandardCharsets.ISO_8859_1);
        byte[] marked = text.replace("entry", "block").getBytes(StandardCharsets.ISO_8859_1);
        send(channel, Map.of(Headers.KIND, Headers.KIND_BLOCK), Block.compress(marked));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      published.incrementAndGet();
    }
  }

  private static void send(Channel channel, Map<String, Object> headers, byte[] body)
      throws IOException {
    channel.basicPublish(
        Topology.EXCHANGE,
        Topology.routingKey(SHARD),
        new AMQP.BasicProperties.Builder().headers(headers).build(),
        body);
  }

  private static void publish(Channel channel, long from, long until) throws Exception {
    for (long number = from; number < until; number++) {
      send(
          channel,
          Map.of(Lane.HEADER, LANE.toString(), Lane.HEADER_NUMBER, number),
          ("entry " + number).getBytes(StandardCharsets.UTF_8));
    }
    channel.waitForConfirmsOrDie(PATIENCE.toMillis());
  }

  /** A reading that acknowledges as a reader does. */
  private static final class Reader implements AutoCloseable {
    private final Inbox inbox = new Inbox(PREFETCH, () -> {});
    private final List<Arrival> read = new ArrayList<>();
    private final Logs.Reading reading;

    Reader(Logs logs, Logs.Start start) throws BrokerException {
      reading = logs.read(SHARD, start, PREFETCH, inbox);
    }

    /** Reads up to the entry with this number. */
    List<Arrival> upTo(long number) throws Exception {
      long until = System.nanoTime() + PATIENCE.toNanos();
      while (read.isEmpty() || !isNumber(read.getLast(), number)) {
        Arrival next = inbox.poll();
        if (next == null) {
          assertThat(inbox.ended()).isNull();
          assertThat(System.nanoTime()).as("%d entries", read.size()).isLessThan(until);
          TimeUnit.MILLISECONDS.sleep(1);
        } else {
          read.add(next);
          reading.ackUpTo(next.tag());
        }
      }
      return read;
    }

    private static boolean isNumber(Arrival arrival, long number) {
      return arrival.entry() != null && arrival.entry().number() == number;
    }

    @Override
    public void close() {
      reading.close();
    }
  }

  private static String text(Arrival arrival) {
    return new String(arrival.body(), StandardCharsets.UTF_8);
  }

  @BrokerTest
  void pastIsReadByBlocksAndTheRestFromTheLog(TestBroker broker) throws Exception {
    if (!broker.knowsQueueArguments()) {
      return;
    }
    try (Connection connection = broker.connect();
        BrokerConnector connector = new BrokerConnector(broker.config(), "test", "chatflow test")) {
      Topology.delete(connection, Topology.SHARDS_QUEUE);
      connector.start();
      MarkedBlocks outlet = new MarkedBlocks(connection);
      AmqpLogs server = AmqpLogs.forServer(connector, SHARD.index() + 1, outlet);
      await().atMost(PATIENCE).until(server::isOpen);
      List<Arrival> plain = publishBlocks(connection, server, outlet);
      long end = plain.getLast().offset();
      AmqpLogs other = AmqpLogs.forReader(connector, SHARD.index() + 1);
      await().atMost(PATIENCE).until(other::isOpen);
      try (Reader reader = new Reader(other, new Logs.Start.At(FROM, end))) {
        compare(plain, reader.upTo(ENTRIES));
      }
    }
  }

  private static List<Arrival> publishBlocks(
      Connection connection, AmqpLogs server, MarkedBlocks outlet) throws Exception {
    try (Reader live = new Reader(server, new Logs.Start.Oldest());
        Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      long next = 1;
      for (int blocks = 1; blocks <= BLOCKS; blocks++) {
        long until = (long) blocks * Block.ENTRIES + BEFORE_A_BLOCK;
        publish(channel, next, until);
        live.upTo(until - 1);
        int expected = blocks;
        await().atMost(PATIENCE).until(() -> outlet.published.get() == expected);
        next = until;
      }
      publish(channel, next, ENTRIES + 1);
      return live.upTo(ENTRIES);
    }
  }

  private static void compare(List<Arrival> plain, List<Arrival> past) {
    assertThat(past.getFirst().offset()).isEqualTo(FROM);
    assertThat(past).isSortedAccordingTo(Comparator.comparingLong(Arrival::tag));
    assertThat(past.stream().map(Arrival::entry))
        .isEqualTo(
            plain.stream().filter(each -> each.offset() >= FROM).map(Arrival::entry).toList());
    assertThat(past.stream().filter(each -> each.content() == Arrival.Content.LINE))
        .allSatisfy(each ->
            assertThat(text(each))
                .startsWith(Block.number(each.offset()) < BLOCKS ? "block" : "entry"));
  }
}
