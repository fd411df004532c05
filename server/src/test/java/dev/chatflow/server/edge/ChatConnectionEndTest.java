package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.CloseReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How one connection ends, by itself or in a drain, and what the room shows of it. */
class ChatConnectionEndTest extends ConnectionScene {

  /** The stamp of the first JOIN of a scene. */
  private static final long FIRST_STAMP = 1_001;

  @Test
  void endOfAJoinedConnectionMakesOneSyntheticLeave() {
    connection.inbound().receive(JOIN);
    connection.ended();
    connection.ended();
    assertThat(lanes.offered).hasSize(2);
    assertThat(lanes.text(1)).contains("\"LEAVE\"", "\"synthetic\":true", "\"message\":\"\"");
    assertThat(lanes.text(1))
        .containsPattern("\"timestamp\":\"([-0-9T:.]{23}Z)\".*\"serverTimestamp\":\"\\1\"");
  }

  @Test
  void endAfterLeaveOrTakeoverMakesNone() {
    connection.inbound().receive(JOIN);
    connection.inbound().receive(LEAVE);
    connection.ended();
    assertThat(lanes.offered).hasSize(2);

    ChatConnection taken = connection(4, 0);
    taken.inbound().receive(JOIN);
    taken.deliveries().joinWasShown(FIRST_STAMP);
    taken.close(CloseReason.TAKEN_OVER);
    taken.ended();
    assertThat(lanes.offered).hasSize(3);
  }

  /**
   * It left and joined again before the takeover of its first membership was read: the winner is
   * unknown.
   */
  @Test
  void connectionWithAJoinInFlightCausesALeaveWhenItIsSuperseded() {
    connection.inbound().receive(JOIN);
    connection.deliveries().joinWasShown(FIRST_STAMP);
    connection.inbound().receive(LEAVE);
    connection.inbound().receive(JOIN);
    connection.close(CloseReason.TAKEN_OVER);
    connection.ended();
    assertThat(lanes.offered).hasSize(4);
    assertThat(lanes.text(3)).contains("\"LEAVE\"", "\"synthetic\":true");
  }

  /** It came back on another server while its peer was slow to answer the close. */
  @Test
  void connectionThatIsTakenOverWhileItClosesMakesNoLeave() {
    connection.inbound().receive(JOIN);
    connection.deliveries().joinWasShown(FIRST_STAMP);
    connection.closeWithLeave(CloseReason.COME_BACK);
    connection.close(CloseReason.TAKEN_OVER);
    connection.ended();
    assertThat(lanes.offered).hasSize(1);
  }

  /** A drain that had given up created LEAVEs all the same. */
  @Test
  void givenUpConnectionMakesNoLeaveHoweverItIsClosed() {
    connection.inbound().receive(JOIN);
    connection.giveUp();
    connection.close(CloseReason.GOING_AWAY);
    connection.ended();
    assertThat(lanes.offered).hasSize(1);
  }

  @Test
  void firstReasonToCloseWins() {
    connection.close(CloseReason.GAP);
    connection.close(CloseReason.GOING_AWAY);
    await().until(() -> !wire.sent().isEmpty());
    connection.inbound().receive(JOIN);
    assertThat(wire.sent()).containsExactly("close 4010");
    assertThat(lanes.offered).isEmpty();
  }

  @Test
  void pausedConnectionIsReadAgainOnceTheCloseIsSent() {
    wire.onClose(connection::ended);
    connection.inbound().receive(JOIN);
    connection.stopReading();
    assertThat(wire.isSuspended()).isTrue();
    connection.close(CloseReason.GOING_AWAY);
    await().until(() -> !wire.isSuspended());
    assertThat(wire.sent()).containsExactly("close 1001");
  }

  /** Its answer to the close was never read, because reading was not resumed. */
  @Test
  void reasonToPauseThatGoesWhileClosingDoesNotKeepTheAnswerUnread() {
    wire.onClose(connection::ended);
    connection.inbound().receive(JOIN);
    lanes.full = true;
    connection.inbound().receive(TEXT);
    wire.onClose(connection.inbound()::laneIsFree); // between the decision and the close frame
    connection.close(CloseReason.GOING_AWAY);
    await().until(() -> wire.sent().equals(List.of("close 1001")) && !wire.isSuspended());
  }

  /**
   * Otherwise it would come back when some connections of the room are closed already, and only the
   * others see it.
   */
  @Test
  void frameInFlightWhenReadingStopsIsNotAccepted() {
    connection.inbound().receive(JOIN);
    connection.stopReading();
    connection.inbound().receive(TEXT);
    connection.inbound().receive("no JSON");
    assertThat(lanes.offered).hasSize(1);
    assertThat(wire.sent()).isEmpty();
  }

  /** It ended silently: its JOIN was shown later, and no LEAVE followed. */
  @Test
  void connectionClosedWithItsJoinInFlightLeaves() {
    wire.onClose(connection::ended);
    connection.inbound().receive(JOIN);
    connection.closeWithLeave(CloseReason.COME_BACK);
    await().until(() -> lanes.offered.size() == 2);
    assertThat(lanes.text(1)).contains("\"LEAVE\"", "\"synthetic\":true");
  }

  @Test
  void frameThatWaitedThroughAPauseEndsTheConnectionAndIsNotAccepted() {
    connection.inbound().receive(JOIN);
    wasPaused = true;
    connection.inbound().receive(TEXT);
    connection.inbound().receive("no JSON");
    assertThat(lanes.offered).hasSize(1);
    await().until(() -> wire.sent().equals(List.of("close 1012")));
  }

  @Test
  void messageThatWaitedForItsLaneThroughAStandstillIsNotTaken() {
    lanes.taking = false;
    connection.inbound().receive(JOIN);
    wasPaused = true;
    lanes.take();
    assertThat(lanes.offered).isEmpty();
    assertThat(answer(0)).isEqualTo("close 1012");
  }

  @Test
  void connectionThatOpensAfterReadingStoppedIsNotReadEither() {
    ConnectionRegistry connections = registry(9);
    connections.stopReading();
    assertThat(connections.open(TestEdge.visitor("192.0.2.1"), _ -> connection, _ -> {}))
        .isSameAs(connection);
    connection.inbound().receive(JOIN);
    assertThat(lanes.offered).isEmpty();
    assertThat(wire.isSuspended()).isTrue();
  }
}
