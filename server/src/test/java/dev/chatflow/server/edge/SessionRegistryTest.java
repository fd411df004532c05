package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.sink.FakeWire;
import dev.chatflow.server.edge.sink.PortableSink;
import org.junit.jupiter.api.Test;

class SessionRegistryTest {

  private final SessionRegistry sessions = new SessionRegistry("server-1", 1, 1);

  /** A drain waits until all places are free: it waited to its timeout. */
  @Test
  void placeOfAConnectionWhoseOpeningFailsIsFreeAgain() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() ->
              sessions.open(_ -> {
                throw new IllegalStateException("no such session");
              }))
          .hasMessage("no such session");
    }
    assertThat(sessions.size()).isZero();
  }

  @Test
  void whoWasToldToGoIsWaitedForUntilItsPeerAnswers() {
    FakeWire wire = new FakeWire();
    ChatSession told = session(wire);
    assertThat(sessions.open(_ -> told)).isSameAs(told);
    assertThat(sessions.haveAnswered()).as("nobody was told").isTrue();
    sessions.closeAll(CloseReason.GOING_AWAY);
    sessions.remove(told);
    assertThat(sessions.haveAnswered()).isFalse();
    wire.answer();
    assertThat(sessions.haveAnswered()).isTrue();
  }

  private static ChatSession session(FakeWire wire) {
    SessionContext context =
        new SessionContext(
            "server-1", 4, new TestEdge().config(), new FakeLanes(), new NoEdgeMeter());
    return new ChatSession(
        "s-1", new RoomId("5"), "192.0.2.1", wire, owner -> new PortableSink(wire, owner), context);
  }

  @Test
  void idsAreUniqueOverServersAndBoots() {
    String id = sessions.nextId();
    assertThat(sessions.nextId()).isNotEqualTo(id);
    assertThat(new SessionRegistry("server-2", 1, 1).nextId()).isNotEqualTo(id);
    assertThat(new SessionRegistry("server-1", 2, 1).nextId()).isNotEqualTo(id);
  }
}
