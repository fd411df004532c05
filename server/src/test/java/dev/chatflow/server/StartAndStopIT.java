package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.Headers;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a server starts and stops. */
class StartAndStopIT {

  @BrokerTest
  void serverStartsWithoutItsBrokerAndWorksWhenItComes(TestBroker broker) throws Exception {
    broker.goAway();
    try (TestServer server = TestServer.launch(broker.uri(), "early", Map.of())) {
      assertThat(server.isApplicationUp()).isTrue();
      assertThat(server.get("/health").statusCode()).isEqualTo(503);
      assertThat(server.get("/health").body()).contains("\"status\":\"STARTING\"");
      await().until(() -> server.get("/ready").body().contains("publisher connection"));
      broker.comeBack();
      server.awaitReady();
      try (ChatClient client = ChatClient.joined(server.chat("5"), 1)) {
        assertThat(client.isClosed()).isFalse();
      }
    }
  }

  @BrokerTest
  void serverWithAnotherNumberOfShardsDoesNotStart(TestBroker broker) throws Exception {
    try (TestServer first = TestServer.start(broker.uri(), "four")) {
      boolean checksArguments;
      try (Connection connection = broker.connect()) {
        checksArguments =
            "RabbitMQ".equals(String.valueOf(connection.getServerProperties().get("product")));
      }
      if (checksArguments) {
        try (TestServer other =
            TestServer.launch(broker.uri(), "five", Map.of("CHATFLOW_SHARDS", "5"))) {
          assertThat(other.isApplicationUp()).isFalse();
          assertThat(other.startFailure()).contains("CHATFLOW_SHARDS=5", "'4'");
        }
      }
      assertThat(first.get("/ready").statusCode()).isEqualTo(200);
    }
  }

  /**
   * JOINs rank by this clock: behind the clocks of other servers, it would void the JOIN of a user
   * who comes from one of them.
   */
  @BrokerTest
  void clockOfAServerStartsAtThePresentTime(TestBroker broker) throws Exception {
    long before = System.currentTimeMillis();
    try (TestServer server = TestServer.start(broker.uri(), "clock");
        Connection connection = broker.connect();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("clock.witness", false, false, true, null);
      Topology.bind(channel, "clock.witness", Shard.of(new RoomId("5"), Shard.DEFAULT_COUNT));
      try (ChatClient client = ChatClient.joined(server.chat("5"), 1)) {
        assertThat(client.isClosed()).isFalse();
      }
      GetResponse first = channel.basicGet("clock.witness", true);
      assertThat(first.getProps().getHeaders().get(Headers.TIME))
          .asInstanceOf(LONG)
          .isBetween(before, System.currentTimeMillis());
    }
  }

  @Test
  void takenAdminPortFailsTheStartWithOneLine() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        java.net.ServerSocket taken =
            new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      Map<String, String> settings =
          Map.of("CHATFLOW_ADMIN_PORT", Integer.toString(taken.getLocalPort()));
      try (TestServer server = TestServer.launch(broker.uri(), "blocked", settings)) {
        assertThat(server.isApplicationUp()).isFalse();
        assertThat(server.startFailure())
            .contains(
                "admin listener: cannot listen on",
                "CHATFLOW_ADMIN_PORT",
                Integer.toString(taken.getLocalPort()));
      }
    }
  }

  @Test
  void misspeltKeyFailsTheStartWithASuggestion() throws Exception {
    URI nobody = URI.create("amqp://127.0.0.1:1");
    Map<String, String> settings = Map.of("CHATFLOW_LANE_BITES", "1MiB");
    try (TestServer server = TestServer.launch(nobody, "misspelt", settings)) {
      assertThat(server.isApplicationUp()).isFalse();
      assertThat(server.startFailure())
          .contains("unknown key CHATFLOW_LANE_BITES (meant CHATFLOW_LANE_BYTES?)");
    }
  }

  @BrokerTest
  void drainShowsAllAcceptedMessagesThenAsksClientsToReconnect(TestBroker broker) throws Exception {
    int users = 20;
    int each = 16;
    List<ChatClient> members = new ArrayList<>();
    TestServer server = TestServer.start(broker.uri(), "draining");
    try (TestServer other = TestServer.start(broker.uri(), "staying");
        ChatClient watcher = ChatClient.joined(other.chat("5"), 1_000)) {
      for (int user = 1; user <= users; user++) {
        members.add(ChatClient.joined(server.chat("5"), user));
        watcher.awaitType("JOIN", user);
      }
      for (int i = 0; i < each; i++) {
        for (ChatClient member : members) {
          member.send("TEXT", "last words");
        }
      }
      Awaitility.await()
          .until(() ->
              server.get("/api/stats").body().contains("\"messagesIn\":" + users * (each + 1)));
      server.close();
      for (ChatClient member : members) {
        ChatClient.Closed closed = member.awaitClosed();
        assertThat(closed.code()).isEqualTo(1001);
        assertThat(closed.reason()).matches("reconnect after \\d+ ms");
      }
      int texts = 0;
      int leaves = 0;
      while (leaves < users) {
        String type = watcher.nextJson().get("messageType").getAsString();
        texts += type.equals("TEXT") ? 1 : 0;
        leaves += type.equals("LEAVE") ? 1 : 0;
      }
      assertThat(texts).isEqualTo(users * each);
    }
  }
}
