package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.room.CloseReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How one connection ends, by itself or in a drain, and what the room sees of it. */
class ChatSessionEndTest extends SessionScene {

  /** That of the first JOIN of a scene. */
  private static final long FIRST_STAMP = 1_001;

  @Test
  void endOfAJoinedConnectionMakesOneSyntheticLeave() {
    session.receive(JOIN);
    session.ended();
    session.ended();
    assertThat(lanes.offered).hasSize(2);
    assertThat(lanes.text(1)).contains("\"LEAVE\"", "\"synthetic\":true", "\"message\":\"\"");
    assertThat(lanes.text(1))
        .containsPattern("\"timestamp\":\"([-0-9T:.]{23}Z)\".*\"serverTimestamp\":\"\\1\"");
  }

  @Test
  void endAfterLeaveOrTakeoverMakesNone() {
    session.receive(JOIN);
    session.receive(LEAVE);
    session.ended();
    assertThat(lanes.offered).hasSize(2);

    ChatSession taken = session(4, 0);
    taken.receive(JOIN);
    taken.joinWasShown(FIRST_STAMP);
    taken.close(CloseReason.TAKEN_OVER);
    taken.ended();
    assertThat(lanes.offered).hasSize(3);
  }

  /**
   * It left and joined again when the takeover of its first stay was read: who wins is not known.
   */
  @Test
  void connectionWhoseJoinIsUnderWayMakesALeaveWhenItIsTakenOver() {
    session.receive(JOIN);
    session.joinWasShown(FIRST_STAMP);
    session.receive(LEAVE);
    session.receive(JOIN);
    session.close(CloseReason.TAKEN_OVER);
    session.ended();
    assertThat(lanes.offered).hasSize(4);
    assertThat(lanes.text(3)).contains("\"LEAVE\"", "\"synthetic\":true");
  }

  /** It came back elsewhere while its peer took its time to answer the close. */
  @Test
  void connectionThatIsTakenOverWhileItClosesMakesNoLeave() {
    session.receive(JOIN);
    session.joinWasShown(FIRST_STAMP);
    session.closeWithLeave(CloseReason.COME_BACK);
    session.close(CloseReason.TAKEN_OVER);
    session.ended();
    assertThat(lanes.offered).hasSize(1);
  }

  /** A drain that had given up made them all the same. */
  @Test
  void givenUpConnectionMakesNoLeaveHoweverItIsClosed() {
    session.receive(JOIN);
    session.giveUp();
    session.close(CloseReason.GOING_AWAY);
    session.ended();
    assertThat(lanes.offered).hasSize(1);
  }

  @Test
  void firstReasonToCloseWins() {
    session.close(CloseReason.GAP);
    session.close(CloseReason.GOING_AWAY);
    await().until(() -> !wire.sent().isEmpty());
    session.receive(JOIN);
    assertThat(wire.sent()).containsExactly("close 4010");
    assertThat(lanes.offered).isEmpty();
  }

  @Test
  void pausedConnectionIsReadAgainOnceTheCloseIsSent() {
    wire.onClose(session::ended);
    session.receive(JOIN);
    session.stopReading();
    assertThat(wire.isSuspended()).isTrue();
    session.close(CloseReason.GOING_AWAY);
    await().until(() -> !wire.isSuspended());
    assertThat(wire.sent()).containsExactly("close 1001");
  }

  /** Its answer to the close was never read, for nobody read again. */
  @Test
  void reasonToPauseThatGoesWhileClosingDoesNotKeepTheAnswerUnread() {
    wire.onClose(session::ended);
    session.receive(JOIN);
    lanes.full = true;
    session.receive(TEXT);
    wire.onClose(session::laneIsFree); // between the decision and the close sent
    session.close(CloseReason.GOING_AWAY);
    await().until(() -> wire.sent().equals(List.of("close 1001")) && !wire.isSuspended());
  }

  /** Or it would come back when some of the room are closed already, and only the others see it. */
  @Test
  void frameThatIsUnderWayWhenReadingStopsIsNotTaken() {
    session.receive(JOIN);
    session.stopReading();
    session.receive(TEXT);
    session.receive("no JSON");
    assertThat(lanes.offered).hasSize(1);
    assertThat(wire.sent()).isEmpty();
  }

  /** It was silent: its JOIN was shown later, and nobody was told that its user had gone. */
  @Test
  void whoIsToldToComeBackWhileItsJoinIsUnderWayLeaves() {
    wire.onClose(session::ended);
    session.receive(JOIN);
    session.closeWithLeave(CloseReason.COME_BACK);
    await().until(() -> lanes.offered.size() == 2);
    assertThat(lanes.text(1)).contains("\"LEAVE\"", "\"synthetic\":true");
  }

  @Test
  void frameThatWaitedThroughAStandstillEndsTheConnectionAndIsNotTaken() {
    session.receive(JOIN);
    stoodStill = true;
    session.receive(TEXT);
    session.receive("no JSON");
    assertThat(lanes.offered).hasSize(1);
    await().until(() -> wire.sent().equals(List.of("close 1012")));
  }

  @Test
  void messageThatWaitedForItsLaneThroughAStandstillIsNotTaken() {
    lanes.taking = false;
    session.receive(JOIN);
    stoodStill = true;
    lanes.take();
    assertThat(lanes.offered).isEmpty();
    assertThat(answer(0)).isEqualTo("close 1012");
  }

  @Test
  void connectionThatOpensAfterReadingStoppedIsNotReadEither() {
    SessionRegistry sessions = registry(9);
    sessions.stopReading();
    assertThat(sessions.open(TestEdge.visitor("192.0.2.1"), _ -> session, _ -> {}))
        .isSameAs(session);
    session.receive(JOIN);
    assertThat(lanes.offered).isEmpty();
    assertThat(wire.isSuspended()).isTrue();
  }
}
