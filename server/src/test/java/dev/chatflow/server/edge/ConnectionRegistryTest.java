package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.room.CloseReason;
import dev.chatflow.server.sink.FakeTimer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionRegistryTest {

  private final ConnectionRegistry connections = registry("server-1", 1);

  private static ConnectionRegistry registry(String serverId, long bootEpoch) {
    return new ConnectionRegistry(
        serverId,
        bootEpoch,
        TestEdge.slots(1),
        new PendingLeaves(new FakeLanes(), new FakeTimer(), serverId, bootEpoch, 4, _ -> false));
  }

  private static @Nullable ChatConnection open(
      ConnectionRegistry connections, Function<String, ChatConnection> make) {
    return connections.open(TestEdge.visitor("192.0.2.1"), make, _ -> {});
  }

  /** A drain waits until all slots are free: it waited until its timeout. */
  @Test
  void slotOfAConnectionThatFailsToOpenIsFreeAgain() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() ->
              open(
                  connections,
                  _ -> {
                    throw new IllegalStateException("no such connection");
                  }))
          .hasMessage("no such connection");
    }
    assertThat(connections.size()).isZero();
  }

  @Test
  void closedConnectionIsWaitedForUntilItsPeerAnswers() {
    ConnectionScene scene = new ConnectionScene();
    ChatConnection told = scene.connection;
    assertThat(open(connections, _ -> told)).isSameAs(told);
    assertThat(connections.haveAnswered()).as("no connection was notified").isTrue();
    connections.closeAll(CloseReason.GOING_AWAY);
    connections.remove(told);
    assertThat(connections.haveAnswered()).isFalse();
    scene.wire.answer();
    assertThat(connections.haveAnswered()).isTrue();
  }

  @Test
  void presentConnectionsAreClosedAndLaterOnesAreServed() {
    ConnectionScene scene = new ConnectionScene();
    ConnectionRegistry all = scene.registry(9);
    assertThat(open(all, _ -> scene.connection)).isSameAs(scene.connection);
    all.tellAll(CloseReason.COME_BACK);
    scene.connection.inbound().receive(ConnectionScene.JOIN);
    assertThat(scene.lanes.offered).isEmpty();
    assertThat(scene.answer(0)).isEqualTo("close 1012");

    ChatConnection later = scene.connection(4, 0);
    assertThat(open(all, _ -> later)).isSameAs(later);
    later.inbound().receive(ConnectionScene.JOIN);
    assertThat(scene.lanes.offered).hasSize(1);
    assertThat(scene.wire.sent()).hasSize(1);
  }

  @Test
  void idsAreUniqueOverServersAndBoots() {
    String id = connections.nextId();
    assertThat(connections.nextId()).isNotEqualTo(id);
    assertThat(registry("server-2", 1).nextId()).isNotEqualTo(id);
    assertThat(registry("server-1", 2).nextId()).isNotEqualTo(id);
  }
}
