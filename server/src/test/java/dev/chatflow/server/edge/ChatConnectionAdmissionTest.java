package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which messages of a connection are accepted or rejected, and when rejections end it. */
class ChatConnectionAdmissionTest extends ConnectionScene {

  @Test
  void joinTextAndLeaveMayBePipelined() {
    connection.inbound().receive(JOIN);
    connection.inbound().receive(TEXT);
    connection.inbound().receive(LEAVE);
    assertThat(lanes.offered).hasSize(3);
    assertThat(lanes.text(0)).contains("\"messageType\":\"JOIN\"", "\"stamp\":1001");
    assertThat(lanes.text(1)).contains("\"message\":\"hello\"", "\"session\":\"s-1\"", "192.0.2.1");
    assertThat(lanes.text(2)).startsWith("{\"messageType\":\"LEAVE\"");
  }

  @Test
  void textBeforeJoinIsRefused() {
    connection.inbound().receive(TEXT);
    assertThat(answer(0)).contains("\"status\":409", "NOT_JOINED");
    assertThat(lanes.offered).isEmpty();
  }

  @Test
  void textAfterLeaveIsRefusedBeforeTheLeaveCameBack() {
    connection.inbound().receive(JOIN);
    connection.inbound().receive(LEAVE);
    connection.inbound().receive(TEXT);
    assertThat(answer(0)).contains("NOT_JOINED");
  }

  @Test
  void secondJoinIsRefusedWhoeverItNames() {
    connection.inbound().receive(JOIN);
    connection.inbound().receive(frame("JOIN", 18, "user18", ""));
    assertThat(answer(0)).contains("\"status\":409", "ALREADY_JOINED");
    connection.inbound().receive(TEXT);
    assertThat(lanes.offered).hasSize(2);
  }

  @Test
  void anotherUserThanTheJoinedOneIsRefused() {
    connection.inbound().receive(JOIN);
    connection.inbound().receive(frame("TEXT", 18, "user17", "x"));
    connection.inbound().receive(frame("TEXT", 17, "user18", "x"));
    assertThat(answer(0)).contains("\"status\":422", "USER_MISMATCH");
    assertThat(answer(1)).contains("USER_MISMATCH");
  }

  @Test
  void joinIsRefusedWithoutTheBrokerButJoinedSendersAreNot() {
    connection.inbound().receive(JOIN);
    lanes.open = false;
    connection.inbound().receive(TEXT);
    connection.inbound().receive(LEAVE);
    connection.inbound().receive(JOIN);
    assertThat(answer(0)).contains("\"status\":503", "SERVICE_UNAVAILABLE", "\"retryAfterMs\":250");
    assertThat(lanes.offered).hasSize(3);
  }

  @Test
  void allWrongFieldsAreReportedAtOnce() {
    connection.inbound().receive(frame("TEXT", 0, "\u202e", ""));
    assertThat(answer(0)).contains("VALIDATION_FAILED", "userId", "username", "message");
  }

  @Test
  void twentiethMalformedInARowIsAnsweredThenClosed() {
    for (int i = 0; i < 20; i++) {
      connection.inbound().receive("nonsense");
    }
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).hasSize(21).last().isEqualTo("close 1008");
    assertThat(meter.refused).containsEntry("MALFORMED_JSON", 20);
  }

  /** Nineteen malformed and one invalid message, repeated forever. */
  @Test
  void faultsOfAnyKindCountTogether() {
    for (int i = 0; i < 5; i++) {
      connection.inbound().receive("nonsense");
      connection.inbound().receive(frame("TEXT", 0, "\u202e", ""));
      connection.inbound().receive(TEXT);
      connection.inbound().receive(LEAVE);
    }
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).hasSize(21);
    assertThat(meter.refused)
        .containsExactly(
            entry("MALFORMED_JSON", 5), entry("NOT_JOINED", 10), entry("VALIDATION_FAILED", 5));
  }

  @Test
  void acceptedMessageResetsTheCount() {
    for (int i = 0; i < 19; i++) {
      connection.inbound().receive("nonsense");
    }
    connection.inbound().receive(JOIN);
    connection.inbound().receive(JOIN);
    await().until(() -> wire.sent().size() == 20);
    assertThat(wire.sent()).doesNotContain("close 1008");
  }

  @Test
  void clientThatHadToWaitIsNotClosedForMessagesAfterItsJoin() {
    lanes.open = false;
    connection.inbound().receive(JOIN);
    for (int i = 0; i < 40; i++) {
      connection.inbound().receive(TEXT);
    }
    lanes.open = true;
    connection.inbound().receive(JOIN);
    assertThat(lanes.offered).hasSize(1);
    assertThat(meter.refused)
        .containsExactly(entry("NOT_JOINED", 40), entry("SERVICE_UNAVAILABLE", 1));
    assertThat(wire.sent()).doesNotContain("close 1008");
  }

  @Test
  void pingIsAnsweredBeforeTheJoinAndNoLaneSeesIt() {
    connection.inbound().receive(PING);
    assertThat(answer(0)).isEqualTo("{\"messageType\":\"PONG\",\"status\":200}");
    connection.inbound().receive(JOIN);
    connection.inbound().receive(PING);
    assertThat(answer(1)).contains("PONG");
    assertThat(lanes.offered).hasSize(1);
  }

  @Test
  void pingNeitherIsAFaultNorHidesOthers() {
    for (int i = 0; i < 20; i++) {
      connection.inbound().receive(PING);
      connection.inbound().receive("nonsense");
    }
    await().until(() -> wire.sent().contains("close 1008"));
    assertThat(wire.sent()).filteredOn(sent -> sent.contains("PONG")).hasSize(20);
    assertThat(meter.refused).containsExactly(entry("MALFORMED_JSON", 20));
  }

  @Test
  void pingCountsTowardsTheRate() {
    ChatConnection limited = connection(1_000, 2);
    for (int i = 0; i < 3; i++) {
      limited.inbound().receive(PING);
    }
    assertThat(answer(2)).contains("\"status\":429", "RATE_LIMITED");
  }

  @Test
  void messagesBeyondTheRateAreRefusedWithAWait() {
    ChatConnection limited = connection(1_000, 2);
    limited.inbound().receive(JOIN);
    limited.inbound().receive(TEXT);
    limited.inbound().receive(TEXT);
    assertThat(answer(0)).contains("\"status\":429", "RATE_LIMITED", "retryAfterMs");
    assertThat(lanes.offered).hasSize(2);
  }

  /** A text that was in flight when an earlier one was rejected must not overtake it. */
  @Test
  void messagesAfterOneBeyondTheRateAreRefusedForASecond() {
    ChatConnection limited = connection(1_000, 2);
    limited.inbound().receive(JOIN);
    limited.inbound().receive(TEXT);
    limited.inbound().receive(TEXT);
    timer.pass(Duration.ofMillis(999));
    limited.inbound().receive(TEXT);
    assertThat(answer(1)).contains("\"status\":429", "\"retryAfterMs\":1}");
    timer.pass(Duration.ofMillis(1));
    limited.inbound().receive(TEXT);
    assertThat(lanes.offered).hasSize(3);
  }

  @Test
  void everyMessageCountsTowardsTheRate() {
    ChatConnection limited = connection(1_000, 4);
    limited.inbound().receive(JOIN);
    limited.inbound().receive(LEAVE);
    limited.inbound().receive("nonsense");
    limited.inbound().receive(frame("TEXT", 0, "\u202e", ""));
    for (int i = 0; i < 30; i++) {
      limited.inbound().receive(i % 2 == 0 ? JOIN : "nonsense");
    }
    assertThat(lanes.offered).hasSize(2);
    assertThat(meter.refused).containsEntry("RATE_LIMITED", 30);
    await().until(() -> !wire.sent().isEmpty());
    assertThat(wire.sent()).as("a request to wait is no fault").doesNotContain("close 1008");
  }

  @Test
  void pingsAndPongsBeyondTheRateEndTheConnectionAndNothingMoreIsRead() {
    ChatConnection limited = connection(4, 5);
    limited.inbound().receive(JOIN);
    limited.inbound().piece();
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
  void pingsOfUnlimitedClientsAreNotCounted() {
    wire.framesRead(1_000_000);
    connection.endIfFlood();
    assertThat(wire.sent()).isEmpty();
  }
}
