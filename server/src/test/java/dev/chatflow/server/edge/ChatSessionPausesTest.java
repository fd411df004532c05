package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.LogRanges;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.sink.MemberSink;
import org.junit.jupiter.api.Test;

/** When one connection is not read, and when it is again. */
class ChatSessionPausesTest extends SessionScene {

  @Test
  void fullWindowStopsReadingUntilHalfCameBack() {
    session.receive(JOIN);
    session.receive(TEXT);
    session.receive(TEXT);
    assertThat(wire.isSuspended()).isFalse();
    session.receive(TEXT);
    assertThat(wire.isSuspended()).isTrue();
    session.cameBack(1);
    assertThat(wire.isSuspended()).isTrue();
    session.cameBack(1);
    assertThat(wire.isSuspended()).isFalse();
  }

  @Test
  void fullLaneStopsReadingUntilItDrained() {
    lanes.full = true;
    session.receive(JOIN);
    assertThat(wire.isSuspended()).isTrue();
    lanes.take();
    assertThat(wire.isSuspended()).isFalse();
  }

  @Test
  void whatTheLaneDoesNotTakeYetIsTakenInOrderWhenItDoes() {
    lanes.taking = false;
    session.receive(JOIN);
    session.receive(TEXT);
    assertThat(wire.isSuspended()).isTrue();
    assertThat(lanes.offered).isEmpty();
    lanes.take();
    assertThat(lanes.offered).hasSize(2);
    assertThat(lanes.text(0)).contains("JOIN");
    assertThat(lanes.text(1)).contains("TEXT", "\"stamp\":1001");
    assertThat(wire.isSuspended()).isFalse();
    timer.run();
    assertThat(wire.sent()).isEmpty();
  }

  /** What was sent behind it is no fault of the client, however much it is. */
  @Test
  void heldJoinThatIsRefusedWhenTheLaneIsFreePutsOffWhatFollows() {
    lanes.taking = false;
    session.receive(JOIN);
    lanes.open = false;
    lanes.take();
    assertThat(answer(0)).contains("SERVICE_UNAVAILABLE");
    for (int i = 1; i <= 25; i++) {
      session.receive(TEXT);
      assertThat(answer(i)).contains("NOT_JOINED");
    }
  }

  @Test
  void joinThatTheLaneDoesNotTakeInTimeIsRefusedAndTheNextOneTried() {
    lanes.taking = false;
    session.receive(JOIN);
    session.receive(TEXT);
    timer.run();
    assertThat(answer(0)).contains("SERVICE_UNAVAILABLE", "\"retryAfterMs\":250");
    assertThat(answer(1)).contains("NOT_JOINED");
    assertThat(wire.isSuspended()).isFalse();
    lanes.taking = true;
    session.receive(JOIN);
    assertThat(lanes.offered).hasSize(1);
  }

  @Test
  void readingResumesOnlyWhenAllReasonsAreGone() {
    session.receive(JOIN);
    session.pauseWhileBehind(true);
    session.receive(TEXT);
    session.receive(TEXT);
    session.receive(TEXT);
    session.cameBack(4);
    assertThat(wire.isSuspended()).isTrue();
    session.pauseWhileBehind(false);
    assertThat(wire.isSuspended()).isFalse();
  }

  @Test
  void unreadErrorsStopReading() {
    wire.stall();
    for (int i = 0; i < 18; i++) {
      session.receive(i % 2 == 0 ? TEXT : "nonsense");
    }
    assertThat(wire.isSuspended()).isTrue();
    wire.read(18);
    await().until(() -> !wire.isSuspended());
  }

  @Test
  void answerToAResendWaitsForTheOwnJoin() {
    session.receive(JOIN);
    session.resendWasShown(resend(1));
    session.resendWasShown(resend(2));
    session.sink().write(LogRanges.of("joined"), session::entered);
    assertThat(answer(2)).contains("\"messageId\":\"m-2\"", "\"duplicate\":true");
    assertThat(answer(1)).contains("m-1");
    assertThat(answer(0)).isEqualTo("joined");
    session.resendWasShown(resend(3));
    assertThat(answer(3)).contains("m-3");
  }

  @Test
  void answersThatWaitForTheJoinStopReadingBeforeTheyAreMany() {
    session.receive(JOIN);
    for (int i = 1; i < MemberSink.MAILBOX_CAPACITY; i++) {
      session.resendWasShown(resend(i));
    }
    assertThat(wire.isSuspended()).isFalse();
    session.resendWasShown(resend(MemberSink.MAILBOX_CAPACITY));
    assertThat(wire.isSuspended()).isTrue();
    session.sink().write(LogRanges.of("joined"), session::entered);
    await().until(() -> !wire.isSuspended());
    assertThat(answer(MemberSink.MAILBOX_CAPACITY)).contains("duplicate");
  }

  private static ChatMessage resend(int number) {
    ClientMessage content =
        new ClientMessage(
            MessageType.TEXT, "17", "user17", "hello", "2026-11-20T18:46:00Z", "m-" + number);
    return new ChatMessage(
        content, new RoomId("5"), 0, new ChatMessage.Origin("server-1", "s-1", "192.0.2.1"), false);
  }
}
