package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.consumer.room.ShardLink.OwnQueue;
import dev.chatflow.message.line.Batch;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.channel.CircuitState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

/** The publishing side on real brokers; the consumer's part is a queue that the test reads. */
class PublisherIT {

  private static final Drained NOBODY = () -> {};
  private static final int SHARDS = 4;
  private static final Duration PACE = Duration.ofMillis(5);

  private static final AtomicInteger BOOTS = new AtomicInteger();

  /** One AMQP message as it lies in the queue. */
  private record Found(
      String lane, long sequence, long mark, String routingKey, List<String> lines) {
    static Found of(GetResponse response) {
      Map<String, Object> headers = response.getProps().getHeaders();
      List<String> lines = new ArrayList<>();
      byte[] body = response.getBody();
      Batch.forEachLine(
          body, (from, to) -> lines.add(new String(body, from, to - from, StandardCharsets.UTF_8)));
      return new Found(
          String.valueOf(headers.get(Topology.HEADER_LANE)),
          number(headers, Topology.HEADER_SEQUENCE),
          number(headers, Topology.HEADER_BIND),
          response.getEnvelope().getRoutingKey(),
          lines);
    }

    private static long number(Map<String, Object> headers, String name) {
      return headers.get(name) instanceof Number number ? number.longValue() : 0;
    }
  }

  private final long boot = BOOTS.incrementAndGet();
  private final String queue = Topology.queue("server-it", boot, 0);
  private final List<ShardLink> links =
      IntStream.range(0, SHARDS).mapToObj(shard -> new ShardLink(new Shard(shard))).toList();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final AtomicInteger underWay = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(30));
  }

  private BrokerConnector connect(TestBroker broker) throws Exception {
    BrokerConnector connector =
        new BrokerConnector(broker.config(), "publisher-" + boot, "chatflow test publisher");
    opened.add(connector);
    return connector;
  }

  private Publisher start(TestBroker broker, LaneTiming timing) throws Exception {
    return start(connect(broker), timing);
  }

  private Publisher start(BrokerConnector connector, LaneTiming timing) {
    PublishConfig config =
        new PublishConfig("server-it", boot, SHARDS, 20, PACE, 16 << 20, Duration.ofSeconds(30), 5);
    Publisher publisher = new Publisher(config, timing, connector, links, new NoMeter());
    opened.add(publisher);
    connector.start();
    publisher.start();
    return publisher;
  }

  private void openQueue(TestBroker broker, int epoch, int incarnation) throws Exception {
    try (Connection connection = broker.connect()) {
      Topology.declareShared(connection, SHARDS);
      Topology.declareQueue(connection, queue);
    }
    links.forEach(link -> link.queueOpen(new OwnQueue(queue, epoch, incarnation)));
  }

  /** Takes all that lies in the queue, and tells the links as the consumer would. */
  private List<Found> drain(TestBroker broker) throws Exception {
    List<Found> found = new ArrayList<>();
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      GetResponse next = channel.basicGet(queue, true);
      while (next != null) {
        found.add(Found.of(next));
        next = channel.basicGet(queue, true);
      }
    }
    for (Found each : found) {
      int shard = Integer.parseInt(each.lane().substring(each.lane().lastIndexOf('/') + 1));
      links.get(shard).returned(each.sequence());
    }
    return found;
  }

  @BrokerTest
  void stopOnPurposeIsNoLostConnection(TestBroker broker) throws Exception {
    openQueue(broker, 1, 1);
    BrokerConnector connector = connect(broker);
    Publisher publisher = start(connector, LaneTiming.of(PACE));
    eventually().until(() -> publisher.circuit() == CircuitState.CLOSED);
    publisher.close();
    connector.close();
    assertThat(publisher.circuit()).isEqualTo(CircuitState.CLOSED); // no change, no log line
  }

  /** What a consumer would show of a lane: each sequence once, without holes. */
  private static List<String> shown(List<Found> found, String lane) {
    List<String> lines = new ArrayList<>();
    Map<Long, Found> seen = new HashMap<>();
    long high = 0;
    for (Found each : found.stream().filter(f -> f.lane().equals(lane)).toList()) {
      if (each.lines().isEmpty()) {
        assertThat(each.sequence()).as("a beacon repeats the last sequence").isEqualTo(high);
      } else if (each.sequence() <= high) {
        assertThat(each).as("sent again: the same bytes").isEqualTo(seen.get(each.sequence()));
      } else {
        assertThat(each.sequence()).as("no hole").isEqualTo(++high);
        seen.put(high, each);
        lines.addAll(each.lines());
      }
    }
    return lines;
  }

  private String lane(int shard) {
    return "server-it/" + boot + "/" + shard;
  }

  /** A text that counts as under way until the broker has it. */
  private Outgoing text(String room, String content) {
    underWay.incrementAndGet();
    return Lines.text(room, content, underWay::decrementAndGet);
  }

  private void awaitConfirmed() {
    eventually().until(() -> underWay.get() == 0);
  }

  @BrokerTest
  void tenThousandMessagesStayInOrderWhileConnectionsAreClosedFiveTimes(TestBroker broker)
      throws Exception {
    openQueue(broker, 1, 1);
    BrokerConnector connector = connect(broker);
    Publisher publisher = start(connector, LaneTiming.of(PACE));
    List<String> offered = IntStream.range(0, 10_000).mapToObj(i -> "m" + i).toList();
    for (int i = 0; i < offered.size(); i++) {
      publisher.offer(text("4", offered.get(i)), NOBODY);
      if (i % 100 == 0) {
        eventually().until(() -> publisher.lanes().getFirst().waiting() < 100);
      }
      if (i % 1_700 == 1_650) {
        broker.closeConnections();
      }
    }
    awaitConfirmed();
    assertThat(connector.reconnects()).isGreaterThanOrEqualTo(5);
    assertThat(shown(drain(broker), lane(0))).isEqualTo(offered);
    assertThat(publisher.awaitEmpty(Duration.ofSeconds(10))).isTrue();
    eventually().until(() -> publisher.circuit() == CircuitState.CLOSED);
    assertThat(publisher.acceptsNew(new RoomId("1"))).isTrue();
    assertThat(publisher.channelsActive()).isZero();
  }

  @BrokerTest
  void eachLaneKeepsItsOwnOrderAndSequence(TestBroker broker) throws Exception {
    openQueue(broker, 1, 1);
    Publisher publisher = start(broker, LaneTiming.of(PACE));
    for (int i = 0; i < 4_000; i++) {
      String room = String.valueOf(i % 20);
      publisher.offer(text(room, room + "-" + i), NOBODY);
    }
    awaitConfirmed();
    List<Found> found = drain(broker);
    for (int shard = 0; shard < SHARDS; shard++) {
      int own = shard;
      assertThat(shown(found, lane(shard)))
          .isEqualTo(
              IntStream.range(0, 4_000)
                  .filter(i -> i % SHARDS == own) // rooms are numbered: room mod shards
                  .mapToObj(i -> i % 20 + "-" + i)
                  .toList());
    }
    assertThat(found).allMatch(each -> each.routingKey().startsWith("room.s"));
    assertThat(publisher.awaitEmpty(Duration.ofSeconds(10))).isTrue();
  }

  @BrokerTest
  void bindsOnUseAndUnbindsWhenIdle(TestBroker broker) throws Exception {
    openQueue(broker, 1, 1);
    Publisher publisher =
        start(
            broker,
            new LaneTiming(
                PACE, Duration.ofMillis(100), Duration.ofMillis(50), Duration.ofMillis(300)));
    publisher.offer(text("2", "a"), NOBODY);
    awaitConfirmed();
    assertThat(reaches(broker, 3)).isFalse();
    List<Found> first = drain(broker);
    assertThat(shown(first, lane(2))).containsExactly("a");
    assertThat(first).anyMatch(each -> each.lane().equals(lane(2)) && each.mark() == 1);
    eventually().until(() -> !reaches(broker, 2));
    drain(broker);
    publisher.offer(text("2", "b"), NOBODY);
    awaitConfirmed();
    assertThat(drain(broker))
        .anyMatch(each -> each.lines().equals(List.of("b")) && each.mark() == 2);
  }

  /** Whether a message for the shard finds a queue. */
  private boolean reaches(TestBroker broker, int shard) throws Exception {
    AtomicInteger returned = new AtomicInteger();
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      channel.addReturnListener(_ -> returned.incrementAndGet());
      channel.basicPublish(
          Topology.EXCHANGE,
          "room.s" + shard + ".probe",
          true,
          MessageProperties.BASIC
              .builder()
              .headers(
                  Map.of(Topology.HEADER_LANE, "probe/0/" + shard, Topology.HEADER_SEQUENCE, 0))
              .build(),
          new byte[0]);
      channel.queueDeclarePassive(queue); // answered after a return
    }
    return returned.get() == 0;
  }

  @BrokerTest
  void aVanishedQueueIsReturnedToAndTheSameFlightGoesAgain(TestBroker broker) throws Exception {
    openQueue(broker, 1, 1);
    Publisher publisher = start(broker, LaneTiming.of(PACE));
    publisher.offer(text("1", "a"), NOBODY);
    awaitConfirmed();
    assertThat(shown(drain(broker), lane(1))).containsExactly("a");
    broker.deleteQueue(queue);
    publisher.offer(text("1", "b"), NOBODY);
    eventually().until(links.get(1)::takeAttention);
    openQueue(broker, 2, 2);
    awaitConfirmed();
    List<Found> found = drain(broker);
    assertThat(found).anyMatch(each -> each.sequence() == 2 && each.lines().equals(List.of("b")));
  }

  @BrokerTest
  void aLostConnectionOpensTheCircuitAndABeaconClosesItAgain(TestBroker broker) throws Exception {
    openQueue(broker, 1, 1);
    Publisher publisher = start(broker, LaneTiming.of(PACE));
    eventually().until(() -> publisher.circuit() == CircuitState.CLOSED);
    broker.goAway();
    try {
      awaitOpenCircuit(publisher, broker);
      assertThat(publisher.acceptsNew(new RoomId("1"))).isFalse();
      assertThat(publisher.offer(text("1", "waits"), NOBODY)).isTrue();
      assertThat(publisher.awaitEmpty(Duration.ofMillis(100))).isFalse();
    } finally {
      broker.comeBack();
    }
    eventually().until(() -> publisher.circuit() == CircuitState.CLOSED);
    awaitConfirmed();
    assertThat(shown(drain(broker), lane(1))).containsExactly("waits");
  }

  /** A broker's management may not know a young connection yet, and not close it at first. */
  private static void awaitOpenCircuit(Publisher publisher, TestBroker broker) {
    eventually()
        .pollDelay(Duration.ofSeconds(1))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          boolean open = publisher.circuit() == CircuitState.OPEN;
          if (!open) {
            broker.goAway();
          }
          return open;
        });
  }
}
