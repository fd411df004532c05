package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests when a user may send, and what it resends. */
final class SenderTest {
  private static final long MILLI = 1_000_000;

  @Test
  void burstWritesAsMuchAsTheSocketAccepts() {
    Scene scene = joined(new TestPlan().texts(500));
    scene.user(0).pump();
    long first = scene.count(Count.TEXTS_WRITTEN);
    assertThat(first).as("a batch").isBetween(50L, 200L);
    scene.pass(20);
    assertThat(scene.count(Count.TEXTS_WRITTEN)).as("batch after batch").isEqualTo(500);
  }

  @Test
  void closedWindowOpensWithEachAnswer() {
    Scene scene = joined(new TestPlan().texts(9).pacing(Pacing.closed(3)));
    Sender sender = scene.user(0).sender();
    scene.user(0).pump();
    assertThat(sender.inFlight()).isEqualTo(3);
    assertThat(scene.context.inFlight()).isEqualTo(3);
    scene.pass(1);
    assertThat(sender.inFlight()).isEqualTo(3);
    assertThat(scene.user(0).member().log.texts()).isEqualTo(6);
    scene.pass(10);
    assertThat(sender.unsent()).isZero();
    assertThat(sender.inFlight()).isZero();
  }

  @Test
  void openModelWritesDueTextsAndMeasuresTheirLag() {
    Scene scene = joined(new TestPlan().texts(9).pacing(Pacing.open(10, 1, false)));
    User user = scene.user(0);
    user.pump();
    assertThat(scene.count(Count.TEXTS_WRITTEN)).as("nothing is due").isZero();
    long due = scene.context.now() - 5 * MILLI;
    user.sender().release(due);
    user.sender().release(due);
    user.pump();
    assertThat(scene.count(Count.TEXTS_WRITTEN)).as("one in flight").isEqualTo(1);
    assertThat(scene.series(Series.LAG).getMaxValue()).isBetween(5_000L, 5_010L);
    scene.pass(2);
    assertThat(scene.count(Count.TEXTS_WRITTEN)).isEqualTo(2);
  }

  /** The warmup has a window even in the burst model, which otherwise has none. */
  @Test
  void warmupHasItsOwnTextsAndAWindow() {
    Scene scene =
        new Scene(new TestPlan().rooms(1, 1).texts(5).warmup(new Warmup(Duration.ZERO, 1, 100)));
    scene.user(0).connect(scene.context.now());
    scene.pass(5);
    scene.user(0).writeJoin(scene.context.now());
    scene.pass(5);
    scene.enter(Phase.WARMUP);
    scene.user(0).pump();
    assertThat(scene.user(0).sender().inFlight()).isEqualTo(64);
    scene.pass(20);
    assertThat(scene.count(Count.WARMUP_DELIVERIES)).isEqualTo(100);
    assertThat(scene.user(0).isSending()).isFalse();
    scene.enter(Phase.MAIN);
    assertThat(scene.user(0).sender().unsent()).isEqualTo(5);
  }

  @Test
  void textsWrittenWhileAnotherThreadStartsThePhaseAreMeasured() {
    Scene scene = new Scene(new TestPlan().rooms(1, 1).texts(2));
    scene.user(0).connect(scene.context.now());
    scene.pass(5);
    scene.user(0).writeJoin(scene.context.now());
    scene.pass(5);
    scene.enter(Phase.WARMUP);
    scene.afterNextClockReading(() -> {
      scene.pass(1);
      scene.enter(Phase.MAIN);
    });
    scene.user(0).pump();
    scene.pass(20);
    assertThat(scene.series(Series.DELIVERY).getTotalCount()).isEqualTo(2);
  }

  @Test
  void noTextIsWrittenOutsideTheSendingPhases() {
    Scene scene = joined(new TestPlan().texts(5));
    scene.enter(Phase.DRAIN);
    scene.user(0).pump();
    assertThat(scene.count(Count.TEXTS_WRITTEN)).isZero();
  }

  @Test
  void noTextIsWrittenAfterTheRunIsStopped() {
    Scene scene = joined(new TestPlan().texts(5));
    scene.gate.stop();
    scene.user(0).pump();
    assertThat(scene.count(Count.TEXTS_WRITTEN)).isZero();
  }

  @Test
  void rejoinIsDueAfterItsShareOfTextsInTheMix() {
    Scene scene = joined(new TestPlan().texts(20).mix(new Mix(80, 10, 10)));
    Sender sender = scene.user(0).sender();
    assertThat(sender.isRejoinDue()).isFalse();
    scene.pass(1);
    scene.user(0).pump();
    scene.pass(200);
    assertThat(scene.user(0).member().log.leaveCount()).as("one per eight texts").isBetween(1, 2);
    assertThat(sender.isRejoinDue()).as("done").isFalse();
  }

  @Test
  void onlyUnansweredTextsAreResent() {
    Scene scene = joined(new TestPlan().texts(10).pacing(Pacing.closed(2)).reconnecting());
    scene.user(0).pump();
    scene.pass(2);
    int written = scene.user(0).member().log.texts();
    int unanswered = scene.user(0).sender().inFlight();
    scene.connectionOf(0).end(1006, "cut");
    scene.pass(100);
    assertThat(unanswered).isEqualTo(2);
    assertThat(scene.count(Count.RESENT)).isEqualTo(unanswered);
    assertThat(scene.user(0).member().log.texts()).isEqualTo(10).isGreaterThan(written);
  }

  @Test
  void unansweredTextsOfAReconnectingUserAreLimited() {
    Scene scene = joined(new TestPlan().texts(3_000).reconnecting());
    scene.chat.stall(3_600_000 * MILLI);
    for (int i = 0; i < 100; i++) {
      scene.user(0).pump();
    }
    assertThat(scene.user(0).sender().inFlight()).isEqualTo(1_024);
  }

  private static Scene joined(TestPlan plan) {
    return new Scene(plan.rooms(1, 1)).joined();
  }
}
