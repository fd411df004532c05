package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Peers that go without a word, or do not listen for a while. */
class PeersIT {

  private static final Map<String, String> FAST = Map.of("CHATFLOW_HEARTBEAT", "500ms");

  private static URI through(TcpProxy network) {
    return URI.create("ws://127.0.0.1:" + network.port() + "/chat/5");
  }

  private static long connections(TestServer server) throws IOException {
    JsonObject stats = JsonParser.parseString(server.get("/api/stats").body()).getAsJsonObject();
    return stats.get("connections").getAsLong();
  }

  @Test
  void halfOpenPeerDisappearsAndIsFollowedByOneLeave() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one", FAST);
        TcpProxy network = TcpProxy.to(server.port());
        ChatClient watcher = ChatClient.joined(server.chat("5"), 1)) {
      ChatClient gone = ChatClient.joined(through(network), 2);
      watcher.awaitType("JOIN", 2);
      network.freeze();
      JsonObject leave = watcher.awaitType("LEAVE", 2);
      assertThat(leave.get("synthetic").getAsBoolean()).isTrue();
      assertThat(watcher.nextWithin(Duration.ofMillis(500))).isNull();
      assertThat(watcher.isClosed()).as("whoever answers stays").isFalse();
      assertThat(connections(server)).isEqualTo(1);
      gone.vanish();
    }
  }

  @Test
  void whoIsNotReadNeedNotAnswerPings() throws Exception {
    int texts = 40;
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TcpProxy network = TcpProxy.to(broker.uri().getPort());
        TestServer server = TestServer.start(address(broker, network), "one", FAST);
        ChatClient sender = ChatClient.joined(server.chat("5"), 1)) {
      network.freeze();
      for (int i = 0; i < texts; i++) {
        sender.send("TEXT", "text " + i);
      }
      await()
          .during(Duration.ofSeconds(3)) // six heartbeats
          .atMost(Duration.ofSeconds(5))
          .until(() -> !sender.isClosed());
      network.mend();
      for (int i = 0; i < texts; i++) {
        assertThat(sender.nextJson().get("message").getAsString()).isEqualTo("text " + i);
      }
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(3))
          .until(() -> !sender.isClosed());
    }
  }

  private static URI address(EmbeddedBroker broker, TcpProxy network) {
    return URI.create(
        broker.uri().toString().replace(":" + broker.uri().getPort(), ":" + network.port()));
  }

  @Test
  void aThousandSimultaneousResetsAreAThousandLeaves() throws Exception {
    int crowd = 1_000;
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one");
        ChatClient watcher = ChatClient.joined(server.chat("5"), 1)) {
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < crowd; i++) {
        RawPeer peer = new RawPeer(server.port(), Integer.toString(5 + i % 20), 0);
        peer.send("JOIN", 2 + i, "");
        peers.add(peer);
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> members(server) == crowd + 1);
      for (RawPeer peer : peers) {
        peer.reset();
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> connections(server) == 1);
      await().atMost(Duration.ofSeconds(20)).until(() -> members(server) == 1);
      int leaves = 0;
      while (leaves < crowd / 20) {
        leaves += watcher.next().contains("\"synthetic\":true") ? 1 : 0;
      }
      assertThat(watcher.nextWithin(Duration.ofMillis(300))).isNull();
      watcher.send("TEXT", "still here");
      watcher.awaitType("TEXT", 1);
    }
  }

  private static long members(TestServer server) throws IOException {
    JsonObject stats = JsonParser.parseString(server.get("/api/stats").body()).getAsJsonObject();
    return stats.get("members").getAsLong();
  }
}
