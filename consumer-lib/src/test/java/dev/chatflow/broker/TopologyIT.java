package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopologyIT {

  private static final int SHARDS = 4;
  private static final Shard SHARD = new Shard(2);

  @Test
  void namesAreThoseOfTheProtocol() {
    assertThat(Topology.log(SHARD)).isEqualTo("chat.log.2");
    assertThat(Topology.bindingKey(SHARD)).isEqualTo("room.s2.#");
    assertThat(Topology.routingKey(SHARD)).isEqualTo("room.s2");
    assertThat(Topology.routingKey(SHARD, new RoomId("5"))).isEqualTo("room.s2.5");
  }

  @BrokerTest
  void sharedThingsMayBeDeclaredAgain(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      channel.exchangeDeclarePassive(Topology.EXCHANGE);
      channel.confirmSelect();
      channel.basicPublish(Topology.DEAD_EXCHANGE, "", null, new byte[] {9});
      channel.waitForConfirmsOrDie(5_000);
      assertThat(get(channel, Topology.DEAD_QUEUE)).containsExactly(9);
    }
  }

  @BrokerTest
  void anotherNumberOfShardsIsRefusedNamingBoth(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect()) {
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      if (broker.knowsQueueArguments()) {
        assertThatThrownBy(() -> Topology.declareShared(connection, 8, Nodes.ONE))
            .isInstanceOf(ShardMismatchException.class)
            .hasMessageContaining("CHATFLOW_SHARDS=8")
            .hasMessageContaining("4");
      } else {
        // The embedded broker keeps no arguments: its launcher passes the number to its servers.
        Topology.declareShared(connection, 8, Nodes.ONE);
      }
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @BrokerTest
  void aReaderDeclaresNoNumberOfShardsAndFindsTheServers(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect()) {
      Topology.delete(connection, Topology.SHARDS_QUEUE);
      assertThat(Topology.findShared(connection, SHARDS, Nodes.ONE)).isFalse();
      assertThat(Topology.readers(connection, Topology.SHARDS_QUEUE)).isEmpty();
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      for (int index = 0; index < SHARDS; index++) {
        Topology.makeLog(connection, new Shard(index));
      }
      assertThat(Topology.findShared(connection, SHARDS, Nodes.ONE)).isTrue();
      if (broker.knowsQueueArguments()) {
        assertThatThrownBy(() -> Topology.findShared(connection, SHARDS - 1, Nodes.ONE))
            .isInstanceOf(ShardMismatchException.class);
      }
    }
  }

  @BrokerTest
  void anExchangeThatWasDeletedIsDeclaredAgainWithItsBindings(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      Topology.makeLog(connection, SHARD);
      channel.exchangeDelete(Topology.EXCHANGE);
      channel.exchangeDelete(Topology.DEAD_EXCHANGE);
      Topology.delete(connection, Topology.DEAD_QUEUE);
      Topology.restore(connection, SHARDS, Nodes.ONE);
      long before = Topology.depth(connection, Topology.log(SHARD));
      publish(channel, Topology.routingKey(SHARD), 1);
      await().until(() -> Topology.depth(connection, Topology.log(SHARD)) > before);
      channel.basicPublish(Topology.DEAD_EXCHANGE, "", null, new byte[] {9});
      channel.waitForConfirmsOrDie(5_000);
      assertThat(get(channel, Topology.DEAD_QUEUE)).containsExactly(9);
    }
  }

  @BrokerTest
  void anExchangeOfDeadLettersThatWasDeletedIsBoundToTheQueueThatIsLeft(TestBroker broker)
      throws Exception {
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      channel.confirmSelect();
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      channel.queuePurge(Topology.DEAD_QUEUE);
      channel.exchangeDelete(Topology.DEAD_EXCHANGE);
      Topology.restore(connection, SHARDS, Nodes.ONE);
      channel.basicPublish(Topology.DEAD_EXCHANGE, "", null, new byte[] {7});
      channel.waitForConfirmsOrDie(5_000);
      assertThat(get(channel, Topology.DEAD_QUEUE)).containsExactly(7);
    }
  }

  @BrokerTest
  void aLogMayBeDeclaredAgainAndKeepsWhatItHolds(TestBroker broker) throws Exception {
    try (Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      Topology.declareShared(connection, SHARDS, Nodes.ONE);
      Topology.declareLog(connection, SHARD, Nodes.ONE);
      publish(channel, Topology.routingKey(SHARD), 1);
      Topology.declareLog(connection, SHARD, Nodes.ONE);
      assertThat(Topology.hasStreams(connection)).isEqualTo(broker.knowsQueueArguments());
      assertThat(connection.isOpen()).isTrue();
    }
  }

  private static void publish(Channel channel, String key, int body) throws Exception {
    channel.confirmSelect();
    channel.basicPublish(Topology.EXCHANGE, key, null, new byte[] {(byte) body});
    channel.waitForConfirmsOrDie(5_000);
  }

  private static byte @Nullable [] get(Channel channel, String queue) throws IOException {
    GetResponse response = channel.basicGet(queue, true);
    return response == null ? null : response.getBody();
  }
}
