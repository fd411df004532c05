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

/** When one connection is not read, and when reading resumes. */
class ChatConnectionPausesTest extends ConnectionScene {

  @Test
  void fullWindowStopsReadingUntilHalfCameBack() {
    connection.inbound().receive(JOIN);
    connection.inbound().receive(TEXT);
    connection.inbound().receive(TEXT);
    assertThat(wire.isSuspended()).isFalse();
    connection.inbound().receive(TEXT);
    assertThat(wire.isSuspended()).isTrue();
    connection.deliveries().cameBack(1);
    assertThat(wire.isSuspended()).isTrue();
    connection.deliveries().cameBack(1);
    assertThat(wire.isSuspended()).isFalse();
  }

  @Test
  void fullLaneStopsReadingUntilItDrained() {
    lanes.full = true;
    connection.inbound().receive(JOIN);
    assertThat(wire.isSuspended()).isTrue();
    lanes.take();
    assertThat(wire.isSuspended()).isFalse();
  }

  @Test
  void messagesTheLaneCannotAcceptYetAreAcceptedLaterInOrder() {
    lanes.taking = false;
    connection.inbound().receive(JOIN);
    connection.inbound().receive(TEXT);
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

  /** Messages after it are no fault of the client, however many there are. */
  @Test
  void messagesAfterAHeldJoinThatIsRefusedAreNoFault() {
    lanes.taking = false;
    connection.inbound().receive(JOIN);
    lanes.open = false;
    lanes.take();
    assertThat(answer(0)).contains("SERVICE_UNAVAILABLE");
    for (int i = 1; i <= 25; i++) {
      connection.inbound().receive(TEXT);
      assertThat(answer(i)).contains("NOT_JOINED");
    }
  }

  @Test
  void joinThatTheLaneDoesNotAcceptInTimeIsRefusedAndTheNextOneTried() {
    lanes.taking = false;
    connection.inbound().receive(JOIN);
    connection.inbound().receive(TEXT);
    timer.run();
    assertThat(answer(0)).contains("SERVICE_UNAVAILABLE", "\"retryAfterMs\":250");
    assertThat(answer(1)).contains("NOT_JOINED");
    assertThat(wire.isSuspended()).isFalse();
    lanes.taking = true;
    connection.inbound().receive(JOIN);
    assertThat(lanes.offered).hasSize(1);
  }

  @Test
  void readingResumesOnlyWithoutAnyReasonToPause() {
    connection.inbound().receive(JOIN);
    connection.deliveries().pauseWhileBehind(true);
    connection.inbound().receive(TEXT);
    connection.inbound().receive(TEXT);
    connection.inbound().receive(TEXT);
    connection.deliveries().cameBack(4);
    assertThat(wire.isSuspended()).isTrue();
    connection.deliveries().pauseWhileBehind(false);
    assertThat(wire.isSuspended()).isFalse();
  }

  @Test
  void unreadErrorsStopReading() {
    wire.stall();
    for (int i = 0; i < 18; i++) {
      connection.inbound().receive(i % 2 == 0 ? TEXT : "nonsense");
    }
    assertThat(wire.isSuspended()).isTrue();
    wire.read(18);
    await().until(() -> !wire.isSuspended());
  }

  @Test
  void answerToAResendWaitsForTheOwnJoin() {
    connection.inbound().receive(JOIN);
    connection.deliveries().resendWasShown(resend(1));
    connection.deliveries().resendWasShown(resend(2));
    connection.deliveries().sink().write(LogRanges.of("joined"), connection.deliveries()::entered);
    assertThat(answer(2)).contains("\"messageId\":\"m-2\"", "\"duplicate\":true");
    assertThat(answer(1)).contains("m-1");
    assertThat(answer(0)).isEqualTo("joined");
    connection.deliveries().resendWasShown(resend(3));
    assertThat(answer(3)).contains("m-3");
  }

  @Test
  void answersThatWaitForTheJoinStopReadingBeforeTheyAreMany() {
    connection.inbound().receive(JOIN);
    for (int i = 1; i < MemberSink.MAILBOX_CAPACITY; i++) {
      connection.deliveries().resendWasShown(resend(i));
    }
    assertThat(wire.isSuspended()).isFalse();
    connection.deliveries().resendWasShown(resend(MemberSink.MAILBOX_CAPACITY));
    assertThat(wire.isSuspended()).isTrue();
    connection.deliveries().sink().write(LogRanges.of("joined"), connection.deliveries()::entered);
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
