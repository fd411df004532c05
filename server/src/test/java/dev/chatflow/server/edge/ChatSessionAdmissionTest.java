package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What of one connection is taken, what is refused, and when refusals end it. */
class ChatSessionAdmissionTest extends SessionScene {

  @Test
  void joinTextAndLeaveMayBePipelined() {
    session.receive(JOIN);
    session.receive(TEXT);
    session.receive(LEAVE);
    assertThat(lanes.offered).hasSize(3);
    assertThat(lanes.text(0)).contains("\"messageType\":\"JOIN\"", "\"stamp\":1001");
    assertThat(lanes.text(1)).contains("\"message\":\"hello\"", "\"session\":\"s-1\"", "192.0.2.1");
    assertThat(lanes.text(2)).startsWith("{\"messageType\":\"LEAVE\"");
  }

  @Test
  void textBeforeJoinIsRefused() {
    session.receive(TEXT);
    assertThat(answer(0)).contains("\"status\":409", "NOT_JOINED");
    assertThat(lanes.offered).isEmpty();
  }

  @Test
  void textAfterLeaveIsRefusedBeforeTheLeaveCameBack() {
    session.receive(JOIN);
    session.receive(LEAVE);
    session.receive(TEXT);
    assertThat(answer(0)).contains("NOT_JOINED");
  }

  @Test
  void secondJoinIsRefusedWhoeverItNames() {
    session.receive(JOIN);
    session.receive(frame("JOIN", 18, "user18", ""));
    assertThat(answer(0)).contains("\"status\":409", "ALREADY_JOINED");
    session.receive(TEXT);
    assertThat(lanes.offered).hasSize(2);
  }

  @Test
  void anotherUserThanTheJoinedOneIsRefused() {
    session.receive(JOIN);
    session.receive(frame("TEXT", 18, "user17", "x"));
    session.receive(frame("TEXT", 17, "user18", "x"));
    assertThat(answer(0)).contains("\"status\":422", "USER_MISMATCH");
    assertThat(answer(1)).contains("USER_MISMATCH");
  }

  @Test
  void joinIsRefusedWhileTheBrokerIsAwayButJoinedSendersAreNot() {
    session.receive(JOIN);
    lanes.open = false;
    session.receive(TEXT);
    session.receive(LEAVE);
    session.receive(JOIN);
    assertThat(answer(0)).contains("\"status\":503", "SERVICE_UNAVAILABLE", "\"retryAfterMs\":250");
    assertThat(lanes.offered).hasSize(3);
  }

  @Test
  void allWrongFieldsAreReportedAtOnce() {
    session.receive(frame("TEXT", 0, "u", ""));
    assertThat(answer(0)).contains("VALIDATION_FAILED", "userId", "username", "message");
  }

  @Test
  void twentiethMalformedInARowIsAnsweredThenClosed() {
    for (int i = 0; i < 20; i++) {
      session.receive("nonsense");
    }
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).hasSize(21).last().isEqualTo("close 1008");
    assertThat(meter.refused).containsEntry("MALFORMED_JSON", 20);
  }

  /** Nineteen malformed and one wrong, nineteen malformed and one wrong, for ever. */
  @Test
  void faultsOfAnyKindCountTogether() {
    for (int i = 0; i < 5; i++) {
      session.receive("nonsense");
      session.receive(frame("TEXT", 0, "u", ""));
      session.receive(TEXT);
      session.receive(LEAVE);
    }
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).hasSize(21);
    assertThat(meter.refused)
        .containsExactly(
            entry("MALFORMED_JSON", 5), entry("NOT_JOINED", 10), entry("VALIDATION_FAILED", 5));
  }

  @Test
  void whatIsTakenBeginsTheCountAnew() {
    for (int i = 0; i < 19; i++) {
      session.receive("nonsense");
    }
    session.receive(JOIN);
    session.receive(JOIN);
    await().until(() -> wire.sent().size() == 20);
    assertThat(wire.sent()).doesNotContain("close 1008");
  }

  @Test
  void whoHadToWaitIsNotClosedForWhatHeSentBehindHisJoin() {
    lanes.open = false;
    session.receive(JOIN);
    for (int i = 0; i < 40; i++) {
      session.receive(TEXT);
    }
    lanes.open = true;
    session.receive(JOIN);
    assertThat(lanes.offered).hasSize(1);
    assertThat(meter.refused)
        .containsExactly(entry("NOT_JOINED", 40), entry("SERVICE_UNAVAILABLE", 1));
    assertThat(wire.sent()).doesNotContain("close 1008");
  }

  @Test
  void pingIsAnsweredBeforeTheJoinAndNoLaneSeesIt() {
    session.receive(PING);
    assertThat(answer(0)).isEqualTo("{\"messageType\":\"PONG\",\"status\":200}");
    session.receive(JOIN);
    session.receive(PING);
    assertThat(answer(1)).contains("PONG");
    assertThat(lanes.offered).hasSize(1);
  }

  @Test
  void pingNeitherIsAFaultNorHidesOthers() {
    for (int i = 0; i < 20; i++) {
      session.receive(PING);
      session.receive("nonsense");
    }
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).filteredOn(sent -> sent.contains("PONG")).hasSize(20);
    assertThat(meter.refused).containsExactly(entry("MALFORMED_JSON", 20));
  }

  @Test
  void pingCountsTowardsTheRate() {
    ChatSession limited = session(1_000, 2);
    for (int i = 0; i < 3; i++) {
      limited.receive(PING);
    }
    assertThat(answer(2)).contains("\"status\":429", "RATE_LIMITED");
  }

  @Test
  void messagesBeyondTheRateAreRefusedWithAWait() {
    ChatSession limited = session(1_000, 2);
    limited.receive(JOIN);
    limited.receive(TEXT);
    limited.receive(TEXT);
    assertThat(answer(0)).contains("\"status\":429", "RATE_LIMITED", "retryAfterMs");
    assertThat(lanes.offered).hasSize(2);
  }

  /** A text that was in flight when an earlier one was refused must not overtake it. */
  @Test
  void whatFollowsAMessageBeyondTheRateIsRefusedForASecond() {
    ChatSession limited = session(1_000, 2);
    limited.receive(JOIN);
    limited.receive(TEXT);
    limited.receive(TEXT);
    timer.pass(Duration.ofMillis(999));
    limited.receive(TEXT);
    assertThat(answer(1)).contains("\"status\":429", "\"retryAfterMs\":1}");
    timer.pass(Duration.ofMillis(1));
    limited.receive(TEXT);
    assertThat(lanes.offered).hasSize(3);
  }

  @Test
  void everyMessageCountsTowardsTheRate() {
    ChatSession limited = session(1_000, 4);
    limited.receive(JOIN);
    limited.receive(LEAVE);
    limited.receive("nonsense");
    limited.receive(frame("TEXT", 0, "u", ""));
    for (int i = 0; i < 30; i++) {
      limited.receive(i % 2 == 0 ? JOIN : "nonsense");
    }
    assertThat(lanes.offered).hasSize(2);
    assertThat(meter.refused).containsEntry("RATE_LIMITED", 30);
    await().until(() -> !wire.sent().isEmpty());
    assertThat(wire.sent()).as("to be told to wait is no fault").doesNotContain("close 1008");
  }

  @Test
  void pingsAndPongsBeyondTheRateEndTheConnectionAndNothingMoreIsRead() {
    ChatSession limited = session(4, 5);
    limited.receive(JOIN);
    limited.piece();
    wire.framesRead(31);
    timer.pass(Duration.ofSeconds(1));
    limited.endIfFlood();
    assertThat(wire.sent()).as("no more than it may").isEmpty();
    wire.framesRead(100);
    limited.endIfFlood();
    assertThat(answer(0)).isEqualTo("close 1008");
    assertThat(wire.isSuspended()).as("whatever answer it sends").isTrue();
  }

  @Test
  void pingsOfWhoHasNoRateAreNotCounted() {
    wire.framesRead(1_000_000);
    session.endIfFlood();
    assertThat(wire.sent()).isEmpty();
  }
}
