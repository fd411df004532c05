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
  void lossesTheProtocolWantsMendedAreMended(int code) {
    assertThat(Reconnect.after(code, "", false)).isEqualTo(new Reconnect.Leave(true, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1002, 1003, 1007, 1008, 1009, 4001, 4009})
  void otherCodesEndTheUser(int code) {
    assertThat(Reconnect.after(code, "", false).allowed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1001, 1012})
  void serverThatSendsAwayMaySayForHowLong(int code) {
    assertThat(Reconnect.after(code, "reconnect after 1250 ms", false))
        .isEqualTo(new Reconnect.Leave(true, 1_250_000_000L));
    assertThat(Reconnect.after(code, "bye", false)).isEqualTo(new Reconnect.Leave(true, 0));
  }

  @Test
  void whoMovesTakesTheServersInTurnsAndIsCountedWhenItIsElsewhere() {
    Disturbance moving = new Disturbance(0, Duration.ZERO, 0, 0, true, false, true);
    Reconnect comeback = comeback(moving);
    comesBack(comeback, 1);
    assertThat(comeback.server()).isEqualTo(2);
    assertThat(scene.count(Count.MOVED)).isEqualTo(1);
    comesBack(comeback, 3);
    assertThat(comeback.server()).as("two attempts failed").isEqualTo(2);
    assertThat(scene.count(Count.MOVED)).as("where it was").isEqualTo(1);
    assertThat(scene.count(Count.RECONNECTIONS)).isEqualTo(2);
  }

  @Test
  void whoDoesNotMoveStays() {
    Reconnect comeback = comeback(new Disturbance(0, Duration.ZERO, 0, 0, true));
    comesBack(comeback, 2);
    assertThat(comeback.server()).isEqualTo(1);
    assertThat(scene.count(Count.MOVED)).isZero();
  }

  @Test
  void whoIsTakenOverByAnAttemptThatHeGaveUpComesBackOnceForIt() {
    Reconnect comeback = comeback(new Disturbance(0, Duration.ZERO, 0, 0, true));
    assertThat(comeback.ended(4009, "", false, false).allowed()).as("by somebody else").isFalse();
    assertThat(comeback.ended(1006, "", true, false).allowed()).as("its JOIN is not back").isTrue();
    assertThat(comeback.ended(4009, "", false, false)).isEqualTo(new Reconnect.Leave(true, 0));
    assertThat(comeback.ended(4009, "", false, false).allowed()).as("once").isFalse();
  }

  @Test
  void ghostIsFearedForHalfAMinute() {
    Reconnect comeback = comeback(new Disturbance(0, Duration.ZERO, 0, 0, true));
    assertThat(comeback.ended(1006, "", true, false).allowed()).isTrue();
    scene.pass(31_000);
    assertThat(comeback.ended(4009, "", false, false).allowed()).isFalse();
  }

  @Test
  void timeRunsFromTheLossAndOfWhoResumesFromTheLastAttemptToo() {
    Reconnect comeback = comeback(new Disturbance(0, Duration.ZERO, 0, 0, true));
    comeback.lost();
    long lost = scene.context.now();
    comeback.begins(lost + 300_000_000);
    comeback.succeeded(true, lost + 302_000_000);
    assertThat(scene.series(Series.RECOVERY).getMaxValue()).isBetween(302_000L, 302_500L);
    assertThat(scene.series(Series.CATCH_UP).getMaxValue()).isEqualTo(2_000);
    comesBack(comeback, 1);
    assertThat(scene.series(Series.CATCH_UP).getTotalCount()).isEqualTo(1);
  }

  private Reconnect comeback(Disturbance disturbance) {
    scene =
        new Scene(
            new TestPlan()
                .urls("ws://127.0.0.1:1/a", "ws://127.0.0.1:2/b", "ws://127.0.0.1:3/c")
                .disturbance(disturbance));
    return new Reconnect(scene.context, 1);
  }

  private void comesBack(Reconnect comeback, int attempts) {
    comeback.lost();
    for (int i = 0; i < attempts; i++) {
      comeback.begins(scene.context.now());
    }
    comeback.succeeded(false, scene.context.now());
  }

  @Test
  void whoseTokenExpiredComesBackIfItCanHaveAnother() {
    assertThat(Reconnect.after(4002, "expired", true)).isEqualTo(new Reconnect.Leave(true, 0));
    assertThat(Reconnect.after(4002, "expired", false).allowed()).isFalse();
    assertThat(Reconnect.after(4001, "not for this room", true).allowed()).isFalse();
  }
}
