package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.log.LogRanges;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When one connection is pinged, and when its peer is given up. */
class ChatSessionHeartbeatTest extends SessionScene {

  @Test
  void quietConnectionIsPingedAndJudgedByAnySignOfLife() {
    assertThat(session.beat()).isTrue();
    await().until(() -> wire.sent().equals(List.of("ping")));
    assertThat(session.beat()).isFalse();
    session.hear();
    assertThat(session.beat()).isTrue();
  }

  @Test
  void peerThatAnswersNoPingIsLostAndNotSlow() {
    SessionRegistry registry = registry(10);
    assertThat(registry.open(_ -> session)).isSameAs(session);
    Heartbeat heartbeat = new Heartbeat(registry);
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
    SessionRegistry registry = registry(10);
    assertThat(registry.open(_ -> session)).isSameAs(session);
    session.receive(JOIN);
    lanes.full = true;
    session.receive(TEXT);
    assertThat(session.isPaused()).isTrue();
    Heartbeat heartbeat = new Heartbeat(registry);
    for (int i = 0; i < 6; i++) {
      heartbeat.run();
    }
    assertThat(meter.losses).isEmpty();
    session.laneIsFree();
    heartbeat.run();
    assertThat(meter.losses).as("resumed a moment ago").isEmpty();
  }

  @Test
  void resumedConnectionGetsTheTimeToAnswer() {
    session.receive(JOIN);
    lanes.full = true;
    session.receive(TEXT);
    assertThat(session.isPaused()).isTrue();
    session.beat();
    await().until(() -> wire.sent().equals(List.of("ping")));
    session.laneIsFree();
    assertThat(session.beat()).as("resumed a moment ago").isTrue();
    assertThat(session.beat()).as("a whole beat without an answer").isFalse();
  }

  @Test
  void listenerInABusyRoomIsNeitherPingedNorJudged() {
    for (int i = 0; i < 3; i++) {
      session.sink().write(LogRanges.of("chat"), () -> {});
      int texts = i + 1;
      await().until(() -> wire.sent().size() == texts);
      assertThat(session.beat()).isTrue();
    }
    assertThat(wire.sent()).containsOnly("chat");
  }
}
