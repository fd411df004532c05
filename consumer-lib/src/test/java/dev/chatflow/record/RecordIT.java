package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.ReaderConfig;
import dev.chatflow.log.WindowBounds;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Records from every broker to a real file: each message once, in order, across restarts. */
class RecordIT {

  private static final int SHARDS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ArchiveQueries.Page ALL =
      new ArchiveQueries.Page(1, Long.MAX_VALUE, 0, Long.MAX_VALUE, 10_000);

  @TempDir private Path folder = Path.of("");

  /** A running recorder. */
  private final class Recording implements AutoCloseable {
    private final RecordMeters meters = new RecordMeters();
    private final BrokerConnector connector;
    private final Store store =
        Store.of("sqlite:" + folder.resolve("record.db"), InstantSource.system());
    private final LogRecorder recorder;

    Recording(TestBroker broker) throws Exception {
      this(broker, WindowBounds.STREAM);
    }

    Recording(TestBroker broker, WindowBounds bounds) throws Exception {
      connector = new BrokerConnector(broker.config(), "standalone", "chatflow test record");
      ReaderConfig config =
          new ReaderConfig(
              SHARDS,
              64,
              bounds,
              WindowBounds.RING,
              Topology.RING_BYTES,
              Topology.RING_ENTRIES,
              ReaderConfig.LINGER);
      recorder =
          new LogRecorder(
              new LogRecorder.Parts(
                  connector, store, config, 3650, false, InstantSource.system(), meters, meters));
      connector.start();
      recorder.start();
      await().atMost(PATIENCE).until(recorder::isReady);
    }

    List<String> texts(String room) throws Exception {
      return store.questions().ofRoom(room, ALL).stream().map(each -> each.row().body()).toList();
    }

    void awaitTexts(String room, String... texts) {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(texts(room)).containsExactly(texts));
    }

    @Override
    public void close() {
      recorder.close();
      connector.close();
      store.questions().close();
      meters.close();
    }
  }

  private static String room(int shard) {
    for (int room = 1; ; room++) {
      String id = Integer.toString(room);
      if (Shard.of(new RoomId(id), SHARDS).index() == shard) {
        return id;
      }
    }
  }

  private static void say(TestLane lane, String room, String text) throws Exception {
    lane.send(Spoken.line(room, 1, text));
  }

  @BrokerTest
  void recordsOnWhereItEnded(TestBroker broker) throws Exception {
    String room = room(0);
    String other = room(1);
    Lane name = new Lane("restarted", 1, 0);
    try (TestLane lane = new TestLane(broker, name);
        TestLane second = new TestLane(broker, new Lane("restarted", 1, 1))) {
      try (Recording recording = new Recording(broker)) {
        lane.beacon();
        say(lane, room, "a");
        lane.send(Spoken.signal(room, 1));
        say(lane, room, "b");
        say(second, other, "x");
        recording.awaitTexts(room, "a", "b");
        recording.awaitTexts(other, "x");
      }
      say(lane, room, "c");
      lane.sendAgain();
      try (Recording recording = new Recording(broker)) {
        recording.awaitTexts(room, "a", "b", "c");
        say(lane, room, "d");
        broker.closeConnections();
        say(lane, room, "e");
        recording.awaitTexts(room, "a", "b", "c", "d", "e");
        recording.awaitTexts(other, "x");
        assertThat(new Analytics(recording.store.questions()).gaps()).isEmpty();
      }
    } finally {
      broker.deleteQueue(Topology.log(new Shard(0)));
      broker.deleteQueue(Topology.log(new Shard(1)));
    }
  }

  @BrokerTest
  void reportsMissingMessages(TestBroker broker) throws Exception {
    String room = room(0);
    try (TestLane lane = new TestLane(broker, new Lane("losing", 1, 0));
        Recording recording = new Recording(broker)) {
      say(lane, room, "a");
      recording.awaitTexts(room, "a");
      lane.lose();
      say(lane, room, "c");
      recording.awaitTexts(room, "a", "c");
      assertThat(new Analytics(recording.store.questions()).gaps())
          .singleElement()
          .satisfies(gap -> assertThat(gap.why()).contains("hole"));
    } finally {
      broker.deleteQueue(Topology.log(new Shard(0)));
      broker.deleteQueue(Topology.log(new Shard(1)));
    }
  }

  @BrokerTest
  void publishesUnreadableEntriesAsDeadLettersAndRecordsTheRest(TestBroker broker)
      throws Exception {
    String room = room(0);
    try (TestLane lane = new TestLane(broker, new Lane("broken", 1, 0));
        Recording recording = new Recording(broker)) {
      lane.send(Spoken.line(room, 1, "a") + "\nnonsense\n" + Spoken.line(room, 2, "b"));
      recording.awaitTexts(room, "a", "b");
      assertThat(recording.meters.poisonCount()).isEqualTo(1);
    } finally {
      broker.deleteQueue(Topology.log(new Shard(0)));
      broker.deleteQueue(Topology.log(new Shard(1)));
    }
  }

  @BrokerTest
  void restartsInALogThatWasCreatedAgain(TestBroker broker) throws Exception {
    String room = room(0);
    try (TestLane lane = new TestLane(broker, new Lane("before", 1, 0));
        TestLane later = new TestLane(broker, new Lane("after", 2, 0))) {
      try (Recording recording = new Recording(broker)) {
        for (String text : List.of("a", "b", "c")) {
          say(lane, room, text);
        }
        recording.awaitTexts(room, "a", "b", "c");
      }
      broker.deleteQueue(Topology.log(new Shard(0)));
      try (Recording recording = new Recording(broker)) {
        for (String text : List.of("d", "e", "f", "g")) {
          say(later, room, text);
        }
        recording.awaitTexts(room, "a", "b", "c", "d", "e", "f", "g");
        assertThat(new Analytics(recording.store.questions()).gaps()).hasSize(1);
      }
    } finally {
      broker.deleteQueue(Topology.log(new Shard(0)));
      broker.deleteQueue(Topology.log(new Shard(1)));
    }
  }
}
