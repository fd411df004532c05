package dev.chatflow.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.consumer.RecordingMeter;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.line.Line;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.standalone.record.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The standalone consumer's reading side on every broker: what is published is recorded once. */
class RecordingDutyIT {

  private static final int SHARDS = 2;
  private static final int QUEUES = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Remembers the texts of each room. */
  private static final class Memory implements Recorder {
    private final Map<String, List<String>> texts = new ConcurrentHashMap<>();
    private final List<Shard> gaps = new CopyOnWriteArrayList<>();
    private final AtomicLong recorded = new AtomicLong();
    private volatile CountDownLatch thaw = new CountDownLatch(0);

    @Override
    public void recorded(Line.Message message) {
      try {
        thaw.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      String text = message.message().content().message();
      texts
          .computeIfAbsent(
              message.room().value(), _ -> Collections.synchronizedList(new ArrayList<>()))
          .add(text.substring(0, Math.min(text.length(), 20)));
      recorded.incrementAndGet();
    }

    @Override
    public void gap(Shard shard) {
      gaps.add(shard);
    }

    List<String> ofRoom(int room) {
      return List.copyOf(texts.getOrDefault(Integer.toString(room), List.of()));
    }
  }

  /** A consumer with a memory. */
  private static final class Recording implements AutoCloseable {
    private final RecordingMeter meter = new RecordingMeter();
    private final BrokerConnector connector;
    private final ConsumerThreads consumer;

    private Recording(TestBroker broker, Memory memory) throws Exception {
      this(broker, memory, false);
    }

    private Recording(TestBroker broker, Memory memory, boolean fresh) throws Exception {
      connector = new BrokerConnector(broker.config(), "standalone", "chatflow test standalone");
      ConsumerConfig config = new ConsumerConfig("standalone", 0, SHARDS, QUEUES, 64);
      List<RecordingDuty> duties =
          IntStream.range(0, QUEUES)
              .mapToObj(n -> new RecordingDuty(config, n, fresh, connector, memory, meter))
              .toList();
      consumer = new ConsumerThreads(config, connector, duties, meter);
      connector.start();
      consumer.start();
    }

    static Recording start(TestBroker broker, Memory memory) throws Exception {
      Recording recording = new Recording(broker, memory);
      await().atMost(PATIENCE).until(recording.consumer::isReady);
      return recording;
    }

    @Override
    public void close() {
      consumer.close();
      connector.close();
    }
  }

  /** Room n is of shard n mod 2. */
  private static ChatMessage text(int room, String text) {
    return new ChatMessage(
        new ClientMessage(MessageType.TEXT, "7", "user7", text, "2026-11-20T18:46:00Z", "m-1"),
        new RoomId(Integer.toString(room)),
        1_000,
        new ChatMessage.Origin("server-1", "s1", "127.0.0.1"),
        false);
  }

  /** A lane of its own for each test: what one left says nothing to the next. */
  private static TestLane lane(TestBroker broker, int shard) {
    return new TestLane(broker, new Lane("server-1", System.nanoTime() >>> 1, shard));
  }

  private static void deleteQueues(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect()) {
      for (int queue = 0; queue < QUEUES; queue++) {
        Topology.delete(connection, Topology.standaloneQueue(queue));
      }
    }
  }

  @BrokerTest
  void everyMessageIsRecordedOnceInTheOrderOfItsRoom(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    try (Recording recording = Recording.start(broker, memory);
        TestLane even = lane(broker, 0);
        TestLane odd = lane(broker, 1)) {
      even.send(text(0, "a"), text(2, "x"), text(0, "b"));
      even.sendAgain();
      odd.send(text(1, "y"));
      even.send(text(0, "c"));
      even.beacon();
      await().untilAsserted(() -> assertThat(memory.ofRoom(0)).containsExactly("a", "b", "c"));
      await().untilAsserted(() -> assertThat(memory.ofRoom(1)).containsExactly("y"));
      assertThat(memory.ofRoom(2)).containsExactly("x");
      assertThat(recording.meter.duplicates).hasValue(1);
      assertThat(memory.gaps).isEmpty();
      await().untilAsserted(() -> assertThat(recording.meter.unacked).hasValue(0));
    }
  }

  @BrokerTest
  void aRestartInMidRunLosesAndRepeatsNothing(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    List<String> sent = new ArrayList<>();
    try (TestLane lane = lane(broker, 0)) {
      Recording first = Recording.start(broker, memory);
      Thread stop =
          Thread.ofVirtual()
              .start(() -> {
                await().until(() -> memory.recorded.get() >= 100);
                first.close();
              });
      while (sent.size() < 400 || stop.isAlive()) {
        sent.add("t" + sent.size());
        lane.send(text(0, sent.getLast()));
      }
      sent.add("between");
      lane.send(text(0, "between"));
      try (Recording second = Recording.start(broker, memory)) {
        lane.send(text(0, "last"));
        sent.add("last");
        await().atMost(PATIENCE).until(() -> memory.ofRoom(0).contains("last"));
        assertThat(memory.ofRoom(0)).isEqualTo(sent);
        assertThat(memory.gaps).isEmpty();
        assertThat(second.meter.duplicates).hasValue(0);
      }
    }
  }

  @BrokerTest
  void connectionsThatEndUnderLoadLoseAndRepeatNothing(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    List<String> sent = new ArrayList<>();
    try (Recording recording = Recording.start(broker, memory);
        TestLane lane = lane(broker, 1)) {
      Thread fault = Thread.ofVirtual().start(broker::closeConnections);
      while (sent.size() < 300 || fault.isAlive() || recording.connector.reconnects() == 0) {
        sent.add("t" + sent.size());
        lane.send(text(1, sent.getLast()));
      }
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(memory.ofRoom(1)).isEqualTo(sent));
      assertThat(memory.gaps).isEmpty();
    }
  }

  @BrokerTest
  void aHoleIsToldAndTheStartOfALaneIsNone(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    try (Recording _ = Recording.start(broker, memory);
        TestLane lane = lane(broker, 0)) {
      lane.lose();
      lane.send(text(0, "a"));
      lane.send(text(0, "b"));
      await().until(() -> memory.ofRoom(0).size() == 2);
      assertThat(memory.gaps).isEmpty();
      lane.lose();
      lane.send(text(0, "c"));
      await().until(() -> memory.ofRoom(0).size() == 3);
      assertThat(memory.gaps).containsExactly(new Shard(0));
    }
  }

  @BrokerTest
  void aQueueDeletedByHandIsMadeAgainAndToldOnce(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    try (Recording recording = Recording.start(broker, memory);
        TestLane lane = lane(broker, 0)) {
      lane.send(text(0, "a"));
      await().until(() -> memory.ofRoom(0).size() == 1);
      broker.deleteQueue(Topology.standaloneQueue(0));
      await().atMost(PATIENCE).until(() -> memory.gaps.contains(new Shard(0)));
      await().atMost(PATIENCE).until(recording.consumer::isReady);
      lane.lose();
      lane.send(text(0, "b"));
      await().atMost(PATIENCE).until(() -> memory.ofRoom(0).size() == 2);
      assertThat(memory.gaps).containsExactly(new Shard(0));
    }
  }

  @BrokerTest
  void aBindingRemovedByHandIsMadeAgainAndWhatWasMissedIsTold(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    try (Recording _ = Recording.start(broker, memory);
        TestLane lane = lane(broker, 1);
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      lane.send(text(1, "a"));
      await().until(() -> memory.ofRoom(1).size() == 1);
      Topology.unbind(channel, Topology.standaloneQueue(1), new Shard(1));
      lane.send(text(1, "missed"));
      await()
          .atMost(PATIENCE)
          .until(() -> {
            lane.send(text(1, "b"));
            return memory.ofRoom(1).contains("b");
          });
      assertThat(memory.gaps).containsExactly(new Shard(1));
      assertThat(memory.ofRoom(1)).doesNotContain("missed");
    }
  }

  @BrokerTest
  void poisonGoesToTheDeadLettersAndTheRestIsRecorded(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    try (Recording recording = Recording.start(broker, memory);
        TestLane lane = lane(broker, 0);
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      channel.queuePurge(Topology.DEAD_QUEUE);
      lane.send("{\"poison\"");
      lane.send(text(0, "a"));
      await().until(() -> memory.ofRoom(0).contains("a"));
      assertThat(recording.meter.poison).hasValue(1);
      GetResponse dead =
          await().until(() -> channel.basicGet(Topology.DEAD_QUEUE, true), r -> r != null);
      assertThat(dead.getBody()).asString().isEqualTo("{\"poison\"");
    }
  }

  @BrokerTest
  void aSecondConsumerWaitsUntilTheFirstHasEnded(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    Recording first = Recording.start(broker, memory);
    try (Recording second = new Recording(broker, new Memory())) {
      await()
          .atMost(PATIENCE)
          .until(() -> second.consumer.trouble().contains("another standalone consumer"));
      assertThat(second.consumer.isReady()).isFalse();
      assertThat(first.consumer.isReady()).isTrue();
      first.close();
      await().atMost(PATIENCE).until(second.consumer::isReady);
    } finally {
      first.close();
    }
  }

  @BrokerTest
  void aFreshStartKnowsNothingOfWhatLayInTheQueues(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Recording.start(broker, new Memory()).close();
    Memory memory = new Memory();
    try (TestLane lane = lane(broker, 0)) {
      lane.send(text(0, "old"));
      try (Recording recording = new Recording(broker, memory, true)) {
        await().atMost(PATIENCE).until(recording.consumer::isReady);
        lane.send(text(0, "new"));
        await().until(() -> !memory.ofRoom(0).isEmpty());
        assertThat(memory.ofRoom(0)).containsExactly("new");
        assertThat(memory.gaps).isEmpty();
      }
    }
  }

  @BrokerTest
  void aBrokerThatIsAwayAtTheStartIsWaitedFor(TestBroker broker) throws Exception {
    broker.goAway();
    try (Recording recording = new Recording(broker, new Memory())) {
      assertThat(recording.consumer.isReady()).isFalse();
      broker.comeBack();
      await().atMost(PATIENCE).until(recording.consumer::isReady);
    } finally {
      broker.comeBack();
    }
  }

  /**
   * As much as the queue may hold and more, each flight confirmed: the oldest go, which is told.
   */
  @BrokerTest
  void aFrozenConsumerHoldsNobodyUpAndTellsWhatItMissed(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    ChatMessage[] flight =
        IntStream.range(0, 140).mapToObj(_ -> text(0, "f".repeat(500))).toArray(ChatMessage[]::new);
    int flights = broker.knowsQueueArguments() ? 1_500 : 500;
    try (Recording recording = Recording.start(broker, memory);
        TestLane lane = lane(broker, 0)) {
      memory.thaw = new CountDownLatch(1);
      for (int i = 0; i < flights; i++) {
        lane.send(flight);
      }
      lane.send(text(2, "last"));
      memory.thaw.countDown();
      await().atMost(Duration.ofSeconds(60)).until(() -> memory.ofRoom(2).contains("last"));
      assertThat(memory.gaps).isNotEmpty().containsOnly(new Shard(0));
      assertThat(memory.recorded.get()).isLessThan((long) flights * flight.length);
      assertThat(recording.meter.duplicates).hasValue(0);
    }
  }

  @BrokerTest
  void anotherNumberOfQueuesLeavesNoBindingBehind(TestBroker broker) throws Exception {
    deleteQueues(broker);
    Memory memory = new Memory();
    try (Connection connection = broker.connect()) {
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      Topology.declareStandaloneQueue(connection, 0, SHARDS, _ -> true, Nodes.ONE);
    }
    try (Recording recording = Recording.start(broker, memory);
        TestLane odd = lane(broker, 1)) {
      odd.send(text(1, "a"));
      odd.send(text(1, "b"));
      await().until(() -> memory.ofRoom(1).size() >= 2);
      assertThat(memory.ofRoom(1)).isEqualTo(Arrays.asList("a", "b"));
      await().untilAsserted(() -> assertThat(recording.meter.unacked).hasValue(0));
      assertThat(recording.meter.poison).hasValue(0);
    }
  }
}
