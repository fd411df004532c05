package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Peers that disappear, or do not read for a while. */
class PeersIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Map<String, String> FAST = Map.of("CHATFLOW_HEARTBEAT", "500ms");

  private static URI through(TcpProxy network) {
    return URI.create("ws://127.0.0.1:" + network.port() + "/chat/5");
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
      await().atMost(PATIENCE).until(() -> server.stat("connections") == 1);
      watcher.send("TEXT", "still here");
      assertThat(watcher.nextJson().get("message").getAsString())
          .as("nothing but one LEAVE, and whoever answers stays")
          .isEqualTo("still here");
      gone.vanish();
    }
  }

  @Test
  void pausedConnectionNeedNotAnswerPings() throws Exception {
    int texts = 40;
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TcpProxy network = TcpProxy.to(broker.uri().getPort());
        TestServer server = TestServer.start(address(broker, network), "one", FAST);
        ChatClient sender = ChatClient.joined(server.chat("5"), 1)) {
      network.freeze();
      for (int i = 0; i < texts; i++) {
        sender.send("TEXT", "text " + i);
      }
      awaitLossOfAnother(server);
      awaitLossOfAnother(server);
      network.restore();
      for (int i = 0; i < texts; i++) {
        assertThat(sender.nextJson().get("message").getAsString()).isEqualTo("text " + i);
      }
      awaitLossOfAnother(server);
      sender.send("TEXT", "still here");
      assertThat(sender.nextJson().get("message").getAsString()).isEqualTo("still here");
    }
  }

  /** Uses the clock of heartbeats: a peer that is read and answers none is lost after two. */
  private static void awaitLossOfAnother(TestServer server) throws Exception {
    long others = server.stat("connections");
    try (TcpProxy network = TcpProxy.to(server.port())) {
      ChatClient idle = ChatClient.connect(through(network), 99);
      await().atMost(PATIENCE).until(() -> server.stat("connections") > others);
      network.freeze();
      await().atMost(PATIENCE).until(() -> server.stat("connections") <= others);
      idle.vanish();
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
      await().atMost(PATIENCE).until(() -> server.stat("members") == crowd + 1);
      for (RawPeer peer : peers) {
        peer.reset();
      }
      await().atMost(PATIENCE).until(() -> server.stat("connections") == 1);
      await().atMost(PATIENCE).until(() -> server.stat("members") == 1);
      int leaves = 0;
      while (leaves < crowd / 20) {
        leaves += watcher.next().contains("\"synthetic\":true") ? 1 : 0;
      }
      watcher.send("TEXT", "still here");
      assertThat(watcher.nextJson().get("message").getAsString()).isEqualTo("still here");
    }
  }
}
