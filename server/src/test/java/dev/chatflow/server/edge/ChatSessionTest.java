package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.log.LogRanges;
import dev.chatflow.server.edge.sink.FakeWire;
import dev.chatflow.server.edge.sink.MemberSink;
import dev.chatflow.server.edge.sink.PortableSink;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChatSessionTest {

  private static final String JOIN = frame("JOIN", 17, "user17", "");
  private static final String LEAVE = frame("LEAVE", 17, "user17", "");
  private static final String TEXT = frame("TEXT", 17, "user17", "hello");

  private final FakeWire wire = new FakeWire();
  private final FakeLanes lanes = new FakeLanes();
  private final CountingMeter meter = new CountingMeter();
  private final ChatSession session = session(4, 0);

  private ChatSession session(int window, int rate) {
    EdgeConfig config = new TestEdge().window(window).ratePerSecond(rate).config();
    SessionContext context = new SessionContext("server-1", 4, config, lanes, meter);
    return new ChatSession(
        "s-1", new RoomId("5"), "192.0.2.1", wire, owner -> new PortableSink(wire, owner), context);
  }

  private static String frame(String type, int user, String name, String text) {
    return "{\"messageType\":\"%s\",\"userId\":\"%d\",\"username\":\"%s\",\"message\":\"%s\",\"timestamp\":\"2026-11-20T18:46:00Z\"}"
        .formatted(type, user, name, text);
  }

  private String answer(int index) {
    await().until(() -> wire.sent().size() > index);
    return wire.sent().get(index);
  }

  @Test
  void joinTextAndLeaveMayBePipelined() {
    session.receive(JOIN);
    session.receive(TEXT);
    session.receive(LEAVE);
    assertThat(lanes.offered).hasSize(3);
    assertThat(lanes.text(0)).isEqualTo("JOIN");
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
  void answerToAResendWaitsForTheOwnJoin() {
    session.receive(JOIN);
    session.resendWasShown(resend(1));
    session.resendWasShown(resend(2));
    session.sink().write(LogRanges.of("joined"), () -> {});
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
    session.sink().write(LogRanges.of("joined"), () -> {});
    await().until(() -> !wire.isSuspended());
    assertThat(answer(MemberSink.MAILBOX_CAPACITY)).contains("duplicate");
  }

  private static ChatMessage resend(int number) {
    ClientMessage content =
        new ClientMessage(
            MessageType.TEXT, 17, "user17", "hello", "2026-11-20T18:46:00Z", "m-" + number);
    return new ChatMessage(
        content, new RoomId("5"), 0, new ChatMessage.Origin("server-1", "s-1", "192.0.2.1"), false);
  }

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
    lanes.waiting.getFirst().laneDrained();
    assertThat(wire.isSuspended()).isFalse();
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
    taken.close(CloseReason.TAKEN_OVER);
    taken.ended();
    assertThat(lanes.offered).hasSize(3);
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

  @Test
  void connectionThatOpensAfterReadingStoppedIsNotReadEither() {
    SessionRegistry sessions = new SessionRegistry("server-1", 1, 9);
    sessions.stopReading();
    assertThat(sessions.open(_ -> session)).isSameAs(session);
    session.receive(JOIN);
    assertThat(lanes.offered).isEmpty();
    assertThat(wire.isSuspended()).isTrue();
  }

  /** Its answer to the close was never read, for nobody read again. */
  @Test
  void reasonToPauseThatGoesWhileClosingDoesNotKeepTheAnswerUnread() {
    wire.onClose(session::ended);
    session.receive(JOIN);
    lanes.full = true;
    session.receive(TEXT);
    wire.onClose(session::laneDrained); // between the decision and the close sent
    session.close(CloseReason.GOING_AWAY);
    await().until(() -> wire.sent().equals(List.of("close 1001")) && !wire.isSuspended());
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
  void quietConnectionIsPingedAndJudgedByAnySignOfLife() {
    assertThat(session.beat()).isTrue();
    await().until(() -> wire.sent().equals(List.of("ping")));
    assertThat(session.beat()).isFalse();
    session.hear();
    assertThat(session.beat()).isTrue();
  }

  @Test
  void peerThatAnswersNoPingIsLostAndNotSlow() {
    SessionRegistry registry = new SessionRegistry("server-1", 1, 10);
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
    SessionRegistry registry = new SessionRegistry("server-1", 1, 10);
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
    session.laneDrained();
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
    session.laneDrained();
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

  /** Counts refusals by code. */
  private static final class CountingMeter implements EdgeMeter {
    final TreeMap<String, Integer> refused = new TreeMap<>();
    final List<Loss> losses = new CopyOnWriteArrayList<>();
    final AtomicInteger timeouts = new AtomicInteger();

    @Override
    public void accepted() {}

    @Override
    public void acceptTook(Duration frameToLane) {}

    @Override
    public void writeTook(Duration write) {}

    @Override
    public void writeTimedOut() {
      timeouts.incrementAndGet();
    }

    @Override
    public void peerLost(Loss how) {
      losses.add(how);
    }

    @Override
    public void refused(String errorCode) {
      refused.merge(errorCode, 1, Integer::sum);
    }

    @Override
    public void closed(int code) {}

    @Override
    public void connectionRefused(String reason) {}
  }
}
