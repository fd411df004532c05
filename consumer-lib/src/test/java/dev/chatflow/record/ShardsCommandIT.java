package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.BlockOutlet;
import dev.chatflow.log.amqp.AmqpLogs;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** Changes the number of shards: only while no process uses the old one, and then for all. */
class ShardsCommandIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int BEFORE = 16;
  private static final int AFTER = 64;
  private static final String ROOM = "5";
  private static final Shard LAST = new Shard(BEFORE - 1);

  @TempDir private Path folder = Path.of("");

  /** The output of a command, and its exit status. */
  private record Said(int status, String text) {}

  private static Said run(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    int status = new StandaloneMain(both, both).run(arguments);
    return new Said(status, bytes.toString(StandardCharsets.UTF_8));
  }

  private static Said shards(TestBroker broker, int number, String... options) {
    String[] arguments = new String[options.length + 4];
    arguments[0] = "shards";
    arguments[1] = Integer.toString(number);
    arguments[2] = "--broker";
    arguments[3] = broker.uri().toString();
    System.arraycopy(options, 0, arguments, 4, options.length);
    return run(arguments);
  }

  /** Creates a cluster of {@link #BEFORE} shards with a log. */
  private static void prepare(Connection connection) throws Exception {
    Topology.delete(connection, Topology.SHARDS_QUEUE);
    Topology.declareShared(connection, BEFORE, Nodes.ONE);
    Topology.declareLog(connection, LAST, Nodes.ONE);
  }

  private static boolean isThere(Connection connection, Shard log) throws Exception {
    return Topology.readers(connection, Topology.log(log)).isPresent();
  }

  @BrokerTest
  void aStoppedClusterHasAnotherNumberAndTheOldOneIsRefused(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect()) {
      prepare(connection);
      if (!broker.knowsQueueArguments()) {
        assertThat(shards(broker, AFTER, "--yes"))
            .satisfies(said -> assertThat(said.status).isEqualTo(StandaloneMain.FAILED))
            .satisfies(said -> assertThat(said.text).contains("another CHATFLOW_SHARDS"));
        return;
      }
      Said asked = shards(broker, AFTER);
      assertThat(asked.status).isEqualTo(StandaloneMain.USAGE);
      assertThat(asked.text).contains("empty history", "nothing was changed: run it with --yes");
      assertThat(isThere(connection, LAST)).isTrue();
      Topology.declareShared(connection, BEFORE, Nodes.ONE);

      assertThat(shards(broker, AFTER, "--yes").status).isEqualTo(StandaloneMain.DONE);
      assertThat(isThere(connection, LAST)).isFalse();
      Topology.declareShared(connection, AFTER, Nodes.ONE);
      assertThatThrownBy(() -> Topology.declareShared(connection, BEFORE, Nodes.ONE))
          .isInstanceOf(ShardMismatchException.class)
          .hasMessageContaining("./chatflow shards");
      assertThat(shards(broker, AFTER).text).contains("already has 64 shards");
    }
  }

  @BrokerTest
  void whileOneRunsItIsRefusedEvenWithoutReaders(TestBroker broker) throws Exception {
    if (!broker.knowsQueueArguments()) {
      return; // covered by the test above
    }
    try (Connection connection = broker.connect();
        BrokerConnector connector = new BrokerConnector(broker.config(), "idle", "chatflow test")) {
      prepare(connection);
      connector.start();
      AmqpLogs logs = AmqpLogs.forServer(connector, BEFORE, new NoBlocks());
      await().atMost(PATIENCE).until(logs::isOpen);
      Said said = shards(broker, AFTER, "--yes");
      assertThat(said.status).isEqualTo(StandaloneMain.FAILED);
      assertThat(said.text).contains("servers and consumers on this broker: 1;");
      assertThat(isThere(connection, LAST)).isTrue();
      Topology.declareShared(connection, BEFORE, Nodes.ONE);
    }
    // its end releases the number
    await().atMost(PATIENCE).until(() -> shards(broker, AFTER, "--yes").status == 0);
  }

  /** With the broker's own tools. */
  @BrokerTest
  void serversDetectARecreatedNumberOfShards(TestBroker broker) throws Exception {
    if (!broker.knowsQueueArguments()) {
      return; // it keeps no number
    }
    try (Connection connection = broker.connect();
        BrokerConnector connector = new BrokerConnector(broker.config(), "idle", "chatflow test")) {
      prepare(connection);
      connector.start();
      AmqpLogs logs = AmqpLogs.forServer(connector, BEFORE, new NoBlocks());
      await().atMost(PATIENCE).until(logs::isOpen);
      Topology.delete(connection, Topology.SHARDS_QUEUE);
      await().atMost(PATIENCE).until(logs::isOpen);
      Topology.delete(connection, Topology.SHARDS_QUEUE);
      Topology.declareShared(connection, AFTER, Nodes.ONE);
      await().atMost(PATIENCE).until(() -> !logs.isOpen() && logs.failure() != null);
    }
  }

  @BrokerTest
  void aNumberThatIsNoneIsRefused(TestBroker broker) {
    assertThat(shards(broker, 0).status).isEqualTo(StandaloneMain.USAGE);
    assertThat(shards(broker, Shard.MAX_COUNT + 1).text).contains("N is from 1 to 256, not 257");
  }

  /** It contains a position in each shard's log, which would be wrong for other shards. */
  @BrokerTest
  void aRecordIsOfTheOldNumberAndStaysAsItIs(TestBroker broker) throws Exception {
    if (!broker.knowsQueueArguments()) {
      return; // it keeps no number
    }
    String store = "sqlite:" + folder.resolve("record.db");
    try (Connection connection = broker.connect()) {
      prepare(connection);
      records(broker, store, BEFORE, "before");
      await().atMost(PATIENCE).until(() -> shards(broker, AFTER, "--yes").status == 0);
    }
    assertThat(consumer(broker, store, BEFORE))
        .satisfies(said -> assertThat(said.status).isEqualTo(StandaloneMain.FAILED))
        .satisfies(said -> assertThat(said.text).contains("this server has CHATFLOW_SHARDS=16"));
    assertThat(consumer(broker, store, AFTER))
        .satisfies(said -> assertThat(said.status).isEqualTo(StandaloneMain.FAILED))
        .satisfies(said -> assertThat(said.text).contains("it has 16 shards", "set another"));
    assertThat(query(store)).contains("before");
    String another = "sqlite:" + folder.resolve("another.db");
    records(broker, another, AFTER, "after");
    assertThat(query(another)).contains("after").doesNotContain("before");
  }

  /** Records one text and ends. */
  private static void records(TestBroker broker, String store, int shards, String text)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    StandaloneMain main = new StandaloneMain(out, out);
    Thread running = Thread.startVirtualThread(() -> main.run(options(broker, store, shards)));
    await().atMost(PATIENCE).until(() -> bytes.toString(StandardCharsets.UTF_8).contains("ready"));
    int shard = Shard.of(new RoomId(ROOM), shards).index();
    try (TestLane lane = new TestLane(broker, new Lane("said", shards, shard))) {
      lane.send(Spoken.line(ROOM, 7, text));
    }
    await().atMost(PATIENCE).until(() -> query(store).contains(text));
    main.requestStop();
    assertThat(running.join(PATIENCE)).isTrue();
  }

  private static String query(String store) {
    return run("query", "--store", store, "rooms/" + ROOM + "/messages").text;
  }

  private static Said consumer(TestBroker broker, String store, int shards) {
    return run(options(broker, store, shards));
  }

  private static String[] options(TestBroker broker, String store, int shards) {
    return new String[] {
      "--port=0", "--broker=" + broker.uri(), "--store=" + store, "--shards=" + shards
    };
  }

  private static final class NoBlocks implements BlockOutlet {
    @Override
    public boolean isOwn(Lane lane) {
      return false;
    }

    @Override
    public void publish(Shard shard, byte[] block) {}
  }
}
