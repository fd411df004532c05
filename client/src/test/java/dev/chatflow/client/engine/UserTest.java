package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the actions of a user at its state transitions. */
final class UserTest {
  private static TestPlan pair() {
    return new TestPlan().rooms(1, 2).texts(5).pacing(Pacing.closed(1));
  }

  @Test
  void connectTimeIsMeasuredAndTheUserWaitsForItsJoin() {
    Scene scene = new Scene(pair());
    User user = scene.user(0);
    assertThat(user.state().isConnected()).isFalse();
    user.connect(scene.context.now());
    assertThat(user.state()).isEqualTo(UserState.CONNECTING);
    scene.pass(5);
    assertThat(user.state()).isEqualTo(UserState.OPEN);
    assertThat(scene.series(Series.CONNECT).getMaxValue()).isEqualTo(1_000);
    user.writeJoin(scene.context.now());
    assertThat(user.state()).isEqualTo(UserState.JOINING);
    scene.pass(5);
    assertThat(user.isJoined()).isTrue();
    assertThat(user.member().joinsWritten()).isEqualTo(1);
    assertThat(scene.count(Count.JOINS_ECHOED)).isEqualTo(1);
  }

  @Test
  void visitJoinsSendsLeavesAndCloses() {
    Scene scene = new Scene(pair());
    scene.enter(Phase.MAIN);
    User user = scene.user(0);
    user.connect(scene.context.now());
    for (int i = 0; i < 60 && !user.isDisconnected(); i++) {
      scene.pass(1);
      user.visit(scene.context.now());
    }
    assertThat(user.state()).isEqualTo(UserState.CLOSED);
    assertThat(scene.chat.received())
        .containsExactly("JOIN", "TEXT", "TEXT", "TEXT", "TEXT", "TEXT", "LEAVE");
  }

  @Test
  void visitAbandonsAnUnansweredLeave() {
    Scene scene = new Scene(pair()).joined();
    User user = scene.user(0);
    user.pump();
    scene.pass(30);
    scene.chat.fallSilent();
    user.visit(scene.context.now());
    assertThat(user.state()).isEqualTo(UserState.LEAVING);
    scene.pass(10_001);
    user.visit(scene.context.now());
    assertThat(user.state()).isEqualTo(UserState.LOST);
  }

  @Test
  void slowAttemptTimesOutAndIsRetried() {
    Scene scene = new Scene(pair().retries(1));
    scene.chat.fallSilent();
    User user = scene.user(0);
    user.connect(scene.context.now());
    scene.pass(10_000);
    assertThat(user.state()).isEqualTo(UserState.CONNECTING);
    scene.pass(20);
    assertThat(user.state()).isEqualTo(UserState.BACKING_OFF);
    scene.pass(60);
    assertThat(scene.count(Count.RETRIES)).isEqualTo(1);
    assertThat(user.state()).isEqualTo(UserState.CONNECTING);
    scene.pass(10_020);
    assertThat(user.state()).isEqualTo(UserState.LOST);
    assertThat(scene.count(Count.CONNECTIONS_FAILED)).isEqualTo(1);
  }

  @Test
  void refusedJoinIsRepeatedAfterTheRequestedDelay() {
    Scene scene = new Scene(pair());
    scene.chat.refuseJoins(1);
    User user = scene.user(0);
    user.connect(scene.context.now());
    scene.pass(5);
    user.writeJoin(scene.context.now());
    scene.pass(400);
    assertThat(scene.chat.received()).containsExactly("JOIN");
    assertThat(user.member().joinsWritten()).as("refused JOINs do not count").isZero();
    scene.pass(200);
    assertThat(scene.chat.received()).containsExactly("JOIN", "JOIN");
    assertThat(user.isJoined()).isTrue();
    assertThat(scene.context.tally.errorCodes()).containsEntry("UNAVAILABLE", 1L);
  }

  /** Close codes and the resulting states, as in the protocol's table of close codes. */
  @ParameterizedTest
  @CsvSource({
    "1006, 'cut',                      RETURN_BACKING_OFF",
    "1011, 'internal error',           RETURN_BACKING_OFF",
    "1013, 'try again later',          RETURN_BACKING_OFF",
    "4008, 'slow consumer',            RETURN_BACKING_OFF",
    "1001, 'reconnect after 300 ms',   RETURN_BACKING_OFF",
    "1000, 'bye',                      LOST",
    "1008, 'policy',                   LOST",
    "4009, 'joined elsewhere',         LOST",
  })
  void closeCodeDecidesWhetherAMemberReconnects(int code, String reason, UserState next) {
    Scene scene = new Scene(pair().reconnecting()).joined();
    scene.connectionOf(0).end(code, reason);
    assertThat(scene.user(0).state()).isEqualTo(next);
    assertThat(scene.context.tally.closeCodes()).containsEntry(code, 1L);
    assertThat(scene.count(Count.CONNECTIONS_LOST)).isEqualTo(1);
  }

  @Test
  void memberWaitsForTheRequestedDelayBeforeItReconnects() {
    Scene scene = new Scene(pair().reconnecting()).joined();
    scene.connectionOf(0).end(1001, "reconnect after 300 ms");
    scene.pass(290);
    assertThat(scene.user(0).state()).isEqualTo(UserState.RETURN_BACKING_OFF);
    scene.pass(30);
    assertThat(scene.user(0).isJoined()).isTrue();
    assertThat(scene.count(Count.RECONNECTIONS)).isEqualTo(1);
    assertThat(scene.series(Series.RECOVERY).getMaxValue()).isBetween(300_000L, 330_000L);
  }

  @Test
  void withoutReconnectALostMemberIsLost() {
    Scene scene = new Scene(pair()).joined();
    scene.connectionOf(0).end(1006, "cut");
    assertThat(scene.user(0).state()).isEqualTo(UserState.LOST);
    assertThat(scene.user(0).isSending()).isFalse();
  }

  @Test
  void membersDoNotReconnectAfterTheRunIsStopped() {
    Scene scene = new Scene(pair().reconnecting()).joined();
    scene.gate.stop();
    scene.connectionOf(0).end(1006, "cut");
    assertThat(scene.user(0).state()).isEqualTo(UserState.LOST);
  }

  @Test
  void connectionLostWhileRejoiningIsCountedSeparately() {
    Scene scene = new Scene(pair().reconnecting()).joined();
    scene.chat.cutJoins(1);
    scene.connectionOf(0).end(1006, "cut");
    scene.pass(400);
    assertThat(scene.user(0).isJoined()).isTrue();
    assertThat(scene.count(Count.CONNECTIONS_LOST)).isEqualTo(2);
    assertThat(scene.count(Count.LOST_AGAIN)).isEqualTo(1);
    assertThat(scene.count(Count.RECONNECTIONS)).isEqualTo(1);
  }

  @Test
  void unansweredTextsAreResentWithTheSameId() {
    Scene scene = new Scene(pair().pacing(Pacing.burst()).reconnecting()).joined();
    scene.user(0).pump();
    scene.connectionOf(0).end(1006, "cut"); // before any of the five texts is answered
    scene.pass(200);
    assertThat(scene.count(Count.RESENT)).isEqualTo(5);
    assertThat(scene.count(Count.TEXTS_WRITTEN)).isEqualTo(5);
    assertThat(scene.user(0).sender().inFlight()).isZero();
  }

  @Test
  void droppedConnectionIsNotCountedAsLost() {
    Scene scene = new Scene(pair().reconnecting()).joined();
    scene.user(0).drop();
    assertThat(scene.count(Count.DROPPED)).isEqualTo(1);
    assertThat(scene.count(Count.CONNECTIONS_LOST)).isZero();
    scene.pass(100);
    assertThat(scene.user(0).isJoined()).isTrue();
    assertThat(scene.count(Count.SYNTHETIC_LEAVES)).as("received by the other member").isEqualTo(1);
  }

  @Test
  void mixLeavesAndRejoinsOnTheSameConnection() {
    Scene scene = new Scene(pair().texts(10).mix(new Mix(80, 10, 10))).joined();
    User user = scene.user(0);
    user.pump();
    scene.pass(100);
    List<String> types = scene.chat.received();
    assertThat(types.subList(2, types.size())).contains("TEXT", "LEAVE", "JOIN");
    assertThat(scene.chat.upgrades()).isEqualTo(2);
    assertThat(user.isJoined()).isTrue();
    assertThat(user.sender().unsent()).isZero();
  }

  @Test
  void timeoutOfAnAnswerFreesTheWindow() {
    Scene scene = new Scene(pair()).joined();
    scene.chat.swallow(VirtualChat.type("TEXT"));
    User user = scene.user(0);
    user.pump();
    user.expire(scene.context.now());
    assertThat(user.member().log.texts()).isEqualTo(1);
    scene.pass(10_010);
    user.expire(scene.context.now());
    assertThat(user.member().log.texts()).isEqualTo(2);
    assertThat(user.sender().inFlight()).isEqualTo(1);
  }

  @Test
  void foreignAndUnreadableFramesAreCounted() {
    Scene scene = new Scene(pair()).joined();
    scene
        .connectionOf(0)
        .receive(
            "{\"status\":200,\"messageType\":\"TEXT\",\"userId\":\"900\",\"messageId\":\"x\","
                + "\"message\":\"hi\"}");
    scene.connectionOf(0).receive("{\"oops\":1}");
    scene.connectionOf(0).receive("not json");
    assertThat(scene.count(Count.FOREIGN_FRAMES)).isEqualTo(1);
    assertThat(scene.count(Count.UNREADABLE_FRAMES)).isEqualTo(2);
  }

  @Test
  void closedUsersAreNotCountedAsLost() {
    Scene scene = new Scene(pair()).joined();
    scene.enter(Phase.CLOSE);
    User user = scene.user(0);
    user.close(scene.context.now());
    assertThat(user.state()).isEqualTo(UserState.CLOSING);
    scene.pass(5);
    assertThat(user.state()).isEqualTo(UserState.CLOSED);
    assertThat(scene.count(Count.CONNECTIONS_LOST)).isZero();
  }

  @Test
  void closeAbortsAConnectionAttempt() {
    Scene scene = new Scene(pair());
    User user = scene.user(0);
    user.connect(scene.context.now());
    user.close(scene.context.now());
    scene.pass(5);
    assertThat(user.state()).isEqualTo(UserState.CLOSED);
    assertThat(scene.chat.open()).isEmpty();
  }

  @Test
  void onlyMembersAndReconnectingUsersAreSending() {
    Scene scene = new Scene(pair().reconnecting());
    assertThat(scene.user(0).isSending()).isFalse();
    scene.joined();
    assertThat(scene.user(0).isSending()).isTrue();
    scene.connectionOf(0).end(1006, "cut");
    assertThat(scene.user(0).isSending()).isTrue();
    assertThat(scene.user(0).isBusy()).isTrue();
    scene.connectionOf(1).end(1000, "bye");
    assertThat(scene.user(1).isSending()).isFalse();
  }
}
