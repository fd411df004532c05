package dev.chatflow.server.sink.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.server.sink.PortableSink;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The selection of the sink by self-test, on a real Tomcat. */
class SinksIT {

  private static final Duration DEADLINE = Duration.ofSeconds(3);

  /** A connector on which no write can be continued by a completion. */
  private static final Map<String, String> BLOCKING = Map.of("useAsyncIO", "false");

  @Test
  void autoIsDirectOnThisTomcat() throws Exception {
    try (SinkServer server = new SinkServer(SinkMode.AUTO, false, DEADLINE, Map.of())) {
      assertThat(server.sinks().name()).isEqualTo("direct");
      assertThat(server.sinks().refusal()).isNull();
    }
  }

  /** As on a redeployment: the connector was tested once, in vain, and the sink was portable. */
  @Test
  void connectorIsProbedUntilTheApplicationIsReachable() throws Exception {
    try (SinkServer server = new SinkServer(SinkMode.AUTO, false, DEADLINE, Map.of());
        Sinks late = server.deployLate(DEADLINE)) {
      SinkServer.Soon.until(late::isDecided);
      assertThat(late.name()).isEqualTo("direct");
    }
  }

  @Test
  void autoIsPortableWhereTheSelfTestFails() throws Exception {
    try (SinkServer server = new SinkServer(SinkMode.AUTO, false, DEADLINE, BLOCKING)) {
      assertThat(server.sinks().name()).isEqualTo("portable");
      try (SelfTestPeer peer = server.connect()) {
        Connected member = server.members.getFirst();
        assertThat(member.sink).isInstanceOf(PortableSink.class);
        server.join(member);
        assertThat(peer.receive().payload()).asString().isEqualTo("JOIN");
      }
    }
  }

  @Test
  void directRefusesWhereTheSelfTestFails() throws Exception {
    try (SinkServer server = new SinkServer(SinkMode.DIRECT, false, DEADLINE, BLOCKING)) {
      assertThat(server.sinks().isDecided()).isFalse();
      assertThat(server.sinks().refusal())
          .contains("CHATFLOW_SINK=direct", "no asynchronous writes", "auto or portable");
    }
  }

  @Test
  void costOfAConnectionIsReadFromTheConnector() throws Exception {
    Map<String, String> connector = Map.of("socket.appReadBufSize", "512");
    try (SinkServer _ = new SinkServer(SinkMode.AUTO, false, DEADLINE, connector)) {
      ConnectionCost cost = ConnectionCost.of("Tomcat");
      assertThat(cost.readBytes()).isEqualTo(512);
      assertThat(cost.writeBytes()).isEqualTo(8_192);
    }
  }

  /** Two buffers of 512 bytes per connection, for texts that never used them. */
  @Test
  void directLeavesAConnectionNoBuffersForTexts() throws Exception {
    try (SinkServer server = new SinkServer(SinkMode.AUTO, false, DEADLINE, Map.of());
        SelfTestPeer _ = server.connect()) {
      assertThat(server.members.getFirst().textBuffers())
          .hasSize(2)
          .allSatisfy(buffer -> assertThat(buffer.capacity()).isZero());
    }
    try (SinkServer server = new SinkServer(SinkMode.PORTABLE, false, DEADLINE, Map.of());
        SelfTestPeer _ = server.connect()) {
      assertThat(server.members.getFirst().textBuffers())
          .allSatisfy(buffer -> assertThat(buffer.capacity()).isEqualTo(8_192));
    }
  }

  @Test
  void selfTestAcceptsNoOtherClientAndLeavesNoConnection() throws Exception {
    try (SinkServer server = new SinkServer(SinkMode.AUTO, false, DEADLINE, Map.of())) {
      SinkServer.Soon.until(() -> server.openConnections() <= 1); // the acceptor counts one ahead
      var connector =
          new Connectors.Connector(InetAddress.getLoopbackAddress(), server.port(), false, true);
      try (SelfTestPeer stranger = new SelfTestPeer(connector, SinkServer.PATIENCE)) {
        assertThat(stranger.upgrade("localhost", SelfTest.PATH, "self-test://guess"))
            .isEqualTo(403);
      }
    }
  }
}
