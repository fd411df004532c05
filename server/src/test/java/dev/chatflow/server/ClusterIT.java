package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.broker.Topology;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers on three RabbitMQ nodes. */
@Tag("long")
@EnabledIfEnvironmentVariable(
    named = OwnCluster.VARIABLE,
    matches = ".+",
    disabledReason = OwnCluster.ABSENT)
class ClusterIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int SHARDS = Shard.DEFAULT_COUNT;

  @SuppressWarnings("NullAway.Init")
  private static OwnCluster broker;

  @BeforeAll
  static void startBroker() throws IOException {
    broker = OwnCluster.start();
  }

  @AfterAll
  static void stopBroker() throws IOException {
    broker.close();
  }

  /** A fault of a node, and the command that ends it. */
  enum Fault {
    DEAD("kill", "start"),
    /** Nothing reaches the node, without any notification. */
    SILENT("cut", "restore");

    private final String begin;
    private final String end;

    Fault(String begin, String end) {
      this.begin = begin;
      this.end = end;
    }
  }

  /**
   * Each node in turn, so that the ones used by a server, and the leader of the room's log, are
   * included.
   */
  @ParameterizedTest
  @EnumSource
  void membersOnTwoServersMissNothingWhateverHappensToANode(Fault fault) throws Exception {
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two");
        ChatClient speaker = ChatClient.joined(one.chat("5"), 1);
        ChatClient listener = ChatClient.joined(two.chat("5"), 2)) {
      Room room = new Room(speaker, new Shown(speaker), new Shown(listener), new ArrayList<>());
      for (int node = 1; node <= 3; node++) {
        room.say("before " + node);
        broker.does(fault.begin, node);
        room.say("meanwhile " + node);
        broker.does(fault.end, node);
        room.say("after " + node);
        broker.settle();
      }
      assertThat(room.own.texts).isEqualTo(room.said);
      assertThat(room.others.texts).isEqualTo(room.said);
      assertThat(speaker.isClosed() || listener.isClosed()).isFalse();
    }
  }

  /** A sender, the texts shown to both members, and the texts sent. */
  private record Room(ChatClient speaker, Shown own, Shown others, List<String> said) {

    /**
     * Sends a line and waits until both have it; on failure shows what the nodes report about the
     * logs.
     */
    void say(String text) throws IOException {
      speaker.send("TEXT", text);
      said.add(text);
      try {
        await()
            .atMost(PATIENCE)
            .until(() -> own.count() >= said.size() && others.count() >= said.size());
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(
            text + ": " + broker.ctl("list_queues", "name", "state", "leader", "online"), e);
      }
    }
  }

  /** The texts shown to a member, in order. */
  private static final class Shown {
    private final ChatClient member;
    private final List<String> texts = new ArrayList<>();

    Shown(ChatClient member) {
      this.member = member;
    }

    int count() {
      for (String frame : member.received()) {
        JsonObject json = JsonParser.parseString(frame).getAsJsonObject();
        if (json.has("message") && "TEXT".equals(json.get("messageType").getAsString())) {
          texts.add(json.get("message").getAsString());
        }
      }
      return texts.size();
    }
  }

  @Test
  void aServerReportsAMissingLogAndContinuesOnceItExists() throws Exception {
    try (Connection connection = connect();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      Shard shard = Shard.of(new RoomId("9"), SHARDS);
      connection.createChannel().queueDelete(Topology.log(shard));
      try (ChatClient _ = ChatClient.connect(server.chat("9"), 3)) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(() ->
                assertThat(server.get("/ready").body())
                    .contains(
                        Topology.log(shard) + " does not exist",
                        "infra/rabbitmq/definitions --nodes 3",
                        "rabbitmqctl import_definitions"));
      }
      broker.importDefinitions();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> {
            try (ChatClient member = ChatClient.connect(server.chat("9"), 4)) {
              member.send("JOIN", "");
              member.awaitType("JOIN", 4);
            }
          });
    }
  }

  @Test
  void otherQueuesAreCopiedAndTheNumberOfShardsIsStillCompared() throws Exception {
    try (Connection connection = connect()) {
      Topology.declareShared(connection, SHARDS, Nodes.SEVERAL);
      assertThatThrownBy(() -> Topology.declareShared(connection, SHARDS + 1, Nodes.SEVERAL))
          .isInstanceOf(ShardMismatchException.class)
          .hasMessageContaining("CHATFLOW_SHARDS=" + (SHARDS + 1));
      assertThatThrownBy(() -> Topology.declareShared(connection, SHARDS, Nodes.ONE))
          .isInstanceOf(BrokerException.class)
          .isNotInstanceOf(ShardMismatchException.class)
          .hasMessageContaining("created for another kind of broker");
    }
  }

  private static Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri(1));
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection("chatflow test");
  }
}
