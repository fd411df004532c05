package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;

/** Entries of a log are lost by manual operations: members are notified, and reconnect. */
class LostEntriesIT {

  private static final Shard SHARD = Shard.of(new RoomId("5"), Shard.DEFAULT_COUNT);

  @BrokerTest
  void logDeletedByHandIsReportedAndReturningClientsAreMembers(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      try (ChatClient member = ChatClient.joined(server.chat("5"), 1)) {
        channel.queueDelete(Topology.log(SHARD));
        member.send("TEXT", "nobody reads this");
        assertThat(member.awaitClosed().code()).isEqualTo(4010);
      }
      try (ChatClient again = ChatClient.joined(server.chat("5"), 1)) {
        again.send("TEXT", "back");
        again.awaitType("TEXT", 1);
      }
    }
  }

  @BrokerTest
  void bindingRemovedByHandIsReportedAndReturningClientsAreMembers(TestBroker broker)
      throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("chat.witness", false, false, true, null);
      Topology.bind(channel, "chat.witness", SHARD);
      try (ChatClient member = ChatClient.joined(server.chat("5"), 1)) {
        Topology.unbind(channel, Topology.log(SHARD), SHARD);
        member.send("TEXT", "nobody reads this");
        assertThat(member.awaitClosed().code()).isEqualTo(4010);
      }
      try (ChatClient again = ChatClient.joined(server.chat("5"), 1)) {
        again.send("TEXT", "back");
        again.awaitType("TEXT", 1);
      }
    }
  }
}
