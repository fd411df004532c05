package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.LogRanges;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When one connection is pinged, and when its peer counts as lost. */
class ChatConnectionHeartbeatTest extends ConnectionScene {

  @Test
  void quietConnectionIsPingedAndJudgedByAnySignOfLife() {
    assertThat(connection.beat()).as("new").isTrue();
    assertThat(connection.beat()).isTrue();
    await().until(() -> wire.sent().equals(List.of("ping")));
    assertThat(connection.beat()).isFalse();
    connection.received();
    assertThat(connection.beat()).isTrue();
  }

  @Test
  void peerThatAnswersNoPingIsLostAndNotSlow() {
    ConnectionRegistry registry = registry(10);
    assertThat(registry.open(TestEdge.visitor("192.0.2.1"), _ -> connection, _ -> {}))
        .isSameAs(connection);
    Heartbeat heartbeat = new Heartbeat(registry);
    heartbeat.run();
    heartbeat.run();
    await().until(() -> wire.sent().equals(List.of("ping")));
    heartbeat.run();
    await().until(() -> wire.sent().contains("abort 1001"));
    heartbeat.run();
    assertThat(meter.losses).containsExactly(EdgeMeter.Loss.NO_PONG);
    assertThat(meter.timeouts).hasValue(0);
    assertThat(wire.sent()).doesNotContain("close 4008");
  }

  /** Its pongs are not read. */
  @Test
  void pausedConnectionIsNotJudgedHoweverLong() {
    ConnectionRegistry registry = registry(10);
    assertThat(registry.open(TestEdge.visitor("192.0.2.1"), _ -> connection, _ -> {}))
        .isSameAs(connection);
    connection.inbound().receive(JOIN);
    lanes.full = true;
    connection.inbound().receive(TEXT);
    assertThat(connection.isPaused()).isTrue();
    Heartbeat heartbeat = new Heartbeat(registry);
    for (int i = 0; i < 6; i++) {
      heartbeat.run();
    }
    assertThat(meter.losses).isEmpty();
    connection.inbound().laneIsFree();
    heartbeat.run();
    assertThat(meter.losses).as("resumed a moment ago").isEmpty();
  }

  @Test
  void resumedConnectionGetsTheTimeToAnswer() {
    connection.inbound().receive(JOIN);
    lanes.full = true;
    connection.inbound().receive(TEXT);
    assertThat(connection.isPaused()).isTrue();
    connection.beat();
    connection.beat();
    await().until(() -> wire.sent().equals(List.of("ping")));
    connection.inbound().laneIsFree();
    assertThat(connection.beat()).as("resumed a moment ago").isTrue();
    assertThat(connection.beat()).as("pinged").isTrue();
    assertThat(connection.beat()).as("a whole beat without an answer").isFalse();
  }

  /** A browser with stopped processes stayed in the room as long as others sent messages. */
  @Test
  void listenerThatIsStoppedIsLostThoughOthersTalk() {
    for (int i = 0; i < 2; i++) {
      connection.deliveries().sink().write(LogRanges.of("chat"), () -> {});
      await().until(() -> wire.sent().getLast().equals("chat"));
      assertThat(connection.beat()).isTrue();
    }
    await().until(() -> wire.sent().equals(List.of("chat", "chat", "ping")));
    connection.deliveries().sink().write(LogRanges.of("chat"), () -> {});
    assertThat(connection.beat()).isFalse();
  }

  /** A socket that answers pings and never joins held its slot forever. */
  @Test
  void connectionWithoutJoinInTimeIsClosed() {
    ConnectionRegistry registry = registry(1);
    registry.open(TestEdge.visitor("192.0.2.1"), _ -> connection, _ -> {});
    Heartbeat heartbeat = new Heartbeat(registry);
    timer.pass(Duration.ofSeconds(44));
    heartbeat.run();
    connection.received();
    timer.pass(Duration.ofSeconds(1));
    heartbeat.run();
    assertThat(answer(0)).isEqualTo("close 4003");
  }

  @Test
  void membersMayBeSilentForeverButAfterALeaveTheyMayNot() {
    connection.inbound().receive(JOIN);
    timer.pass(Duration.ofHours(1));
    connection.endIfOutside();
    assertThat(wire.sent()).isEmpty();
    connection.inbound().receive(LEAVE);
    isClosedAfter45Seconds();
  }

  private void isClosedAfter45Seconds() {
    timer.pass(Duration.ofSeconds(44));
    connection.endIfOutside();
    assertThat(wire.sent()).isEmpty();
    timer.pass(Duration.ofSeconds(1));
    connection.endIfOutside();
    assertThat(answer(0)).isEqualTo("close 4003");
  }

  /** A room's members may join one after another, and the first waits for the room's log. */
  @Test
  void timeDoesNotRunWhileNoJoinIsPossible() {
    timer.pass(Duration.ofSeconds(40));
    lanes.shutNanos = timer.nanoTime();
    isClosedAfter45Seconds();
  }

  /**
   * While the broker is unavailable new clients wait here; closing all would make them return at
   * once.
   */
  @Test
  void postponedJoinRestartsItsTimeout() {
    lanes.open = false;
    timer.pass(Duration.ofSeconds(44));
    connection.inbound().receive(JOIN);
    assertThat(answer(0)).contains("SERVICE_UNAVAILABLE");
    timer.pass(Duration.ofSeconds(44));
    connection.endIfOutside();
    assertThat(wire.sent()).hasSize(1);
    timer.pass(Duration.ofSeconds(1));
    connection.endIfOutside();
    assertThat(answer(1)).isEqualTo("close 4003");
  }
}
