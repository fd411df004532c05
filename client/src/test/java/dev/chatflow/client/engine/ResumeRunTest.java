package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests complete runs in which users resume after they reconnect. */
final class ResumeRunTest {
  private static final long MILLI = 1_000_000L;
  private static final String TEXT = "\"messageType\":\"TEXT\"";

  private final VirtualChat chat = new VirtualChat();

  private static TestPlan room() {
    return new TestPlan()
        .rooms(1, 4)
        .lasting(Duration.ofSeconds(4))
        .level(Judging.Level.TOTAL_ORDER)
        .pacing(Pacing.open(100, Pacing.UNBOUNDED, false))
        .resuming();
  }

  /** Runs the plan. The second member loses its connection for 300 ms. */
  private VirtualRun interrupted(TestPlan plan) throws InterruptedException {
    chat.remember();
    chat.after(2_000 * MILLI, () -> chat.open().get(1).end(1001, "reconnect after 300 ms"));
    return VirtualRun.of(plan, chat);
  }

  /** Changes every past of 10 frames or more. Its first frame is the one that the client named. */
  private VirtualRun interrupted(UnaryOperator<List<String>> change) throws InterruptedException {
    chat.changePasts(past -> {
      List<String> changed = new ArrayList<>(past);
      return past.size() < 10 ? past : change.apply(changed);
    });
    return interrupted(room());
  }

  @Test
  void resumingMemberReceivesEveryMissedFrame() throws InterruptedException {
    VirtualRun run = interrupted(room());
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isEqualTo(1);
    assertThat(run.count(Count.CAUGHT_UP)).isBetween(25L, 40L);
    assertThat(run.count(Count.UNKNOWN)).isZero();
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(run.count(Count.TEXTS_WRITTEN));
    assertThat(run.count(Count.TEXT_DELIVERIES))
        .as("as without the interruption")
        .isEqualTo(4 * run.count(Count.TEXTS_WRITTEN));
    assertThat(run.series(Series.CATCH_UP, Clock.SERVICE).getTotalCount()).isEqualTo(1);
    assertThat(run.series(Series.CATCH_UP, Clock.SERVICE).getMaxValue()).isLessThan(10_000);
    assertThat(run.series(Series.DELIVERY, Clock.SERVICE).getMaxValue())
        .as("missed frames do not count as slow deliveries")
        .isLessThan(10_000);
  }

  /**
   * In a quiet room a JOIN has no index, so it cannot be named, and other members do not expect it.
   */
  @Test
  void resumingMemberOfAQuietRoomReceivesEveryMissedText() throws InterruptedException {
    chat.quietFrom(1);
    VirtualRun run = interrupted(room());
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isEqualTo(1);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(4 * run.count(Count.TEXTS_WRITTEN));
    assertThat(run.count(Count.JOIN_DELIVERIES)).isEqualTo(4 + 1);
  }

  private void assertTextMissingInThePastIsFound() throws InterruptedException {
    VirtualRun run =
        interrupted(past -> {
          past.removeIf(frame -> frame.equals(textOf(past, 5)));
          return past;
        });
    assertThat(run.found(Defect.LOST)).isEqualTo(1);
    assertThat(run.count(Count.RESUMED)).isEqualTo(1);
  }

  @Test
  void textMissingInThePastOfAQuietRoomIsLost() throws InterruptedException {
    chat.quietFrom(1);
    assertTextMissingInThePastIsFound();
  }

  @Test
  void textMissingBetweenTheNamedFrameAndTheJoinIsLost() throws InterruptedException {
    assertTextMissingInThePastIsFound();
  }

  @Test
  void joinMissingInThePastIsLost() throws InterruptedException {
    chat.after(2_100 * MILLI, () -> chat.open().get(1).end(1001, "reconnect after 0 ms"));
    VirtualRun run =
        interrupted(past -> {
          past.removeIf(frame -> frame.contains("\"messageType\":\"JOIN\""));
          return past;
        });
    assertThat(run.found(Defect.LOST)).isEqualTo(1);
    assertThat(run.count(Count.RESUMED)).isEqualTo(2);
  }

  @Test
  void textShownTwiceInThePastIsADuplicate() throws InterruptedException {
    VirtualRun run =
        interrupted(past -> {
          past.add(past.size() - 1, textOf(past, 5));
          return past;
        });
    assertThat(run.found(Defect.DUPLICATE)).isEqualTo(1);
  }

  @Test
  void namedFrameSentTwiceIsADuplicate() throws InterruptedException {
    VirtualRun run =
        interrupted(past -> {
          past.add(1, past.getFirst());
          return past;
        });
    assertThat(run.found(Defect.DUPLICATE)).isEqualTo(1);
  }

  @Test
  void swappedFramesOfThePastAreDivergent() throws InterruptedException {
    VirtualRun run =
        interrupted(past -> {
          Collections.swap(past, past.size() - 2, past.size() - 3);
          return past;
        });
    assertThat(run.found(Defect.DIVERGENT)).isEqualTo(1);
  }

  private static String textOf(List<String> past, int number) {
    return past.stream()
        .filter(frame -> frame.contains(TEXT))
        .skip(number)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void failedResumeStartsAtTheJoinAndLeavesPendingTextsUnknown() throws InterruptedException {
    chat.after(1_990 * MILLI, () -> chat.swallow(json -> isTextOf(json, "2")));
    chat.after(2_001 * MILLI, () -> chat.swallow(_ -> false));
    chat.after(2_200 * MILLI, chat::forget);
    VirtualRun run = interrupted(room().pacing(Pacing.open(1_000, Pacing.UNBOUNDED, false)));
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isZero();
    assertThat(run.count(Count.NOT_FOUND)).isEqualTo(1);
    assertThat(run.count(Count.CAUGHT_UP)).isZero();
    assertThat(run.count(Count.UNKNOWN)).isPositive();
    assertThat(run.count(Count.RESENT)).isZero();
  }

  private static boolean isTextOf(com.google.gson.JsonObject json, String user) {
    return VirtualChat.type("TEXT").test(json) && json.get("userId").getAsString().equals(user);
  }

  @Test
  void pendingTextsAreResentAfterTheJoin() throws InterruptedException {
    chat.after(1_990 * MILLI, () -> chat.swallow(json -> isTextOf(json, "2")));
    chat.after(2_001 * MILLI, () -> chat.swallow(_ -> false));
    VirtualRun run = interrupted(room().pacing(Pacing.open(1_000, Pacing.UNBOUNDED, false)));
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESENT)).isPositive();
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void noFrameIsNamedAfterAReportedLoss() throws InterruptedException {
    chat.remember();
    chat.after(2_000 * MILLI, () -> chat.closeAll(4010, "continuity lost"));
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.AFTER_LOSS)).isEqualTo(4);
    assertThat(run.count(Count.RESUMED)).isZero();
  }

  @Test
  void serverWithoutResumeSupportPasses() throws InterruptedException {
    chat.after(2_000 * MILLI, () -> chat.closeAll(1006, ""));
    VirtualRun run = VirtualRun.of(room(), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(4);
    assertThat(run.count(Count.NOT_FOUND)).isEqualTo(4);
  }

  @Test
  void connectionLostWhileRejoiningResumesFromTheLastReceivedFrame() throws InterruptedException {
    chat.after(2_000 * MILLI, () -> chat.cutJoins(1));
    VirtualRun run = interrupted(room());
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.LOST_AGAIN)).isEqualTo(1);
    assertThat(run.count(Count.RESUMED)).isEqualTo(1);
  }

  @Test
  void connectionCutDuringThePastResumesFromThere() throws InterruptedException {
    chat.after(2_000 * MILLI, () -> chat.cutPasts(2));
    VirtualRun run = interrupted(room());
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.LOST_AGAIN)).isEqualTo(2);
    assertThat(run.count(Count.RESUMED)).isEqualTo(1);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(4 * run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void connectionCutDuringAHistoryIsVerifiedFromItsNextJoin() throws InterruptedException {
    chat.after(2_000 * MILLI, () -> chat.cutPasts(1));
    chat.after(2_000 * MILLI, () -> chat.closeAll(4010, "continuity lost"));
    VirtualRun run = VirtualRun.of(room().history(10), remembering());
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.LOST_AGAIN)).isEqualTo(1);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(4);
    assertThat(run.count(Count.AFTER_LOSS)).isEqualTo(4);
  }

  private VirtualChat remembering() {
    chat.remember();
    return chat;
  }

  @Test
  void membersUnderChurnMissNothing() throws InterruptedException {
    chat.remember();
    VirtualRun run =
        VirtualRun.of(
            room()
                .rooms(2, 10)
                .disturbance(new Disturbance(0.3, Duration.ofMillis(300), 0, 0, true, true, false)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isEqualTo(run.count(Count.DROPPED)).isGreaterThan(40);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(10 * run.count(Count.TEXTS_WRITTEN));
  }
}
