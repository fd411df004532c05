package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReconnectTest {
  private Scene scene = new Scene(new TestPlan());

  @ParameterizedTest
  @ValueSource(ints = {1006, 1013, 4003, 4008, 4010})
  void recoverableCodesAllowReconnecting(int code) {
    assertThat(Reconnect.after(code, "", false)).isEqualTo(new Reconnect.Leave(true, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1002, 1003, 1007, 1008, 1009, 4001, 4009})
  void otherCodesForbidReconnecting(int code) {
    assertThat(Reconnect.after(code, "", false).allowed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1001, 1012})
  void restartingServerMayRequestADelay(int code) {
    assertThat(Reconnect.after(code, "reconnect after 1250 ms", false))
        .isEqualTo(new Reconnect.Leave(true, 1_250_000_000L));
    assertThat(Reconnect.after(code, "bye", false)).isEqualTo(new Reconnect.Leave(true, 0));
  }

  @Test
  void movingUserTriesServersInTurnAndIsCountedOnAnotherServer() {
    Disturbance moving = new Disturbance(0, Duration.ZERO, 0, 0, true, false, true);
    Reconnect reconnect = reconnect(moving);
    reconnectAfter(reconnect, 1);
    assertThat(reconnect.server()).isEqualTo(2);
    assertThat(scene.count(Count.MOVED)).isEqualTo(1);
    reconnectAfter(reconnect, 3);
    assertThat(reconnect.server()).as("two attempts failed").isEqualTo(2);
    assertThat(scene.count(Count.MOVED)).as("back on its server").isEqualTo(1);
    assertThat(scene.count(Count.RECONNECTIONS)).isEqualTo(2);
  }

  @Test
  void userThatDoesNotMoveReconnectsToItsServer() {
    Reconnect reconnect = reconnect(new Disturbance(0, Duration.ZERO, 0, 0, true));
    reconnectAfter(reconnect, 2);
    assertThat(reconnect.server()).isEqualTo(1);
    assertThat(scene.count(Count.MOVED)).isZero();
  }

  @Test
  void userSupersededByItsAbandonedAttemptReconnectsOnce() {
    Reconnect reconnect = reconnect(new Disturbance(0, Duration.ZERO, 0, 0, true));
    assertThat(reconnect.ended(4009, "", false, false).allowed()).as("other client").isFalse();
    assertThat(reconnect.ended(1006, "", true, false).allowed()).as("JOIN unanswered").isTrue();
    assertThat(reconnect.ended(4009, "", false, false)).isEqualTo(new Reconnect.Leave(true, 0));
    assertThat(reconnect.ended(4009, "", false, false).allowed()).as("only once").isFalse();
  }

  @Test
  void abandonedAttemptIsRememberedForHalfAMinute() {
    Reconnect reconnect = reconnect(new Disturbance(0, Duration.ZERO, 0, 0, true));
    assertThat(reconnect.ended(1006, "", true, false).allowed()).isTrue();
    scene.pass(31_000);
    assertThat(reconnect.ended(4009, "", false, false).allowed()).isFalse();
  }

  @Test
  void recoveryIsMeasuredFromTheLossAndCatchUpFromTheLastAttempt() {
    Reconnect reconnect = reconnect(new Disturbance(0, Duration.ZERO, 0, 0, true));
    reconnect.lost();
    long lost = scene.context.now();
    reconnect.begins(lost + 300_000_000);
    reconnect.succeeded(true, lost + 302_000_000);
    assertThat(scene.series(Series.RECOVERY).getMaxValue()).isBetween(302_000L, 302_500L);
    assertThat(scene.series(Series.CATCH_UP).getMaxValue()).isEqualTo(2_000);
    reconnectAfter(reconnect, 1);
    assertThat(scene.series(Series.CATCH_UP).getTotalCount()).isEqualTo(1);
  }

  private Reconnect reconnect(Disturbance disturbance) {
    scene =
        new Scene(
            new TestPlan()
                .urls("ws://127.0.0.1:1/a", "ws://127.0.0.1:2/b", "ws://127.0.0.1:3/c")
                .disturbance(disturbance));
    return new Reconnect(scene.context, 1);
  }

  private void reconnectAfter(Reconnect reconnect, int attempts) {
    reconnect.lost();
    for (int i = 0; i < attempts; i++) {
      reconnect.begins(scene.context.now());
    }
    reconnect.succeeded(false, scene.context.now());
  }

  @Test
  void userWithAnExpiredTokenReconnectsIfItCanGetAnother() {
    assertThat(Reconnect.after(4002, "expired", true)).isEqualTo(new Reconnect.Leave(true, 0));
    assertThat(Reconnect.after(4002, "expired", false).allowed()).isFalse();
    assertThat(Reconnect.after(4001, "not for this room", true).allowed()).isFalse();
  }
}
