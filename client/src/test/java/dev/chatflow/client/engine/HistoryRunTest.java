package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Mix;
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

/**
 * Tests complete runs in which JOINs request the last frames of their room, or users move to
 * another server.
 */
final class HistoryRunTest {
  private static final long MILLI = 1_000_000L;
  private static final Disturbance CHURN = new Disturbance(0.3, Duration.ofMillis(500), 0, 0, true);

  private final VirtualChat chat = new VirtualChat();

  private static TestPlan room() {
    return new TestPlan()
        .rooms(1, 5)
        .lasting(Duration.ofSeconds(4))
        .level(Judging.Level.TOTAL_ORDER)
        .pacing(Pacing.open(100, Pacing.UNBOUNDED, false))
        .history(20);
  }

  /** Runs with churn, and changes every past of 20 frames or more. */
  private VirtualRun changed(UnaryOperator<List<String>> change) throws InterruptedException {
    chat.remember();
    chat.changePasts(past -> past.size() < 20 ? past : change.apply(new ArrayList<>(past)));
    return VirtualRun.of(room().disturbance(CHURN), chat);
  }

  @Test
  void historyFramesAreCountedSeparately() throws InterruptedException {
    chat.remember();
    VirtualRun run = VirtualRun.of(room().lasting(Duration.ZERO).texts(20), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.HISTORY_FRAMES)).as("earlier JOINs").isEqualTo(1 + 2 + 3 + 4);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(5 * 5 * 20);
    assertThat(run.count(Count.JOIN_DELIVERIES)).isEqualTo(5 + 4 + 3 + 2 + 1);
  }

  @Test
  void reconnectingUsersReceiveTheLastFrames() throws InterruptedException {
    VirtualRun run = changed(past -> past);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.HISTORY_FRAMES)).isEqualTo(10 + 20 * run.count(Count.RECONNECTIONS));
    assertThat(run.count(Count.CAUGHT_UP)).isZero();
  }

  @Test
  void usersWhoLeaveAndRejoinRequestHistory() throws InterruptedException {
    chat.remember();
    VirtualRun run = VirtualRun.of(room().mix(new Mix(80, 10, 10)), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.HISTORY_FRAMES)).isGreaterThan(20);
  }

  @Test
  void gapInAHistoryCountsAsLost() throws InterruptedException {
    VirtualRun run =
        changed(past -> {
          past.remove(10);
          return past;
        });
    assertThat(run.found(Defect.LOST)).isPositive().isLessThanOrEqualTo(run.count(Count.DROPPED));
  }

  @Test
  void swappedFramesOfAHistoryAreDivergent() throws InterruptedException {
    VirtualRun run =
        changed(past -> {
          Collections.swap(past, 10, 11);
          return past;
        });
    assertThat(run.found(Defect.DIVERGENT)).isPositive();
  }

  @Test
  void framesBeyondTheRequestedHistoryAreMisrouted() throws InterruptedException {
    VirtualRun run =
        changed(past -> {
          past.addFirst(past.getFirst());
          return past;
        });
    assertThat(run.found(Defect.MISROUTED)).isPositive();
  }

  @Test
  void changedFrameOfAHistoryIsCorrupt() throws InterruptedException {
    VirtualRun run =
        changed(past -> {
          past.replaceAll(frame -> frame.replaceFirst("[a-z]([.!?]\")", "X$1"));
          return past;
        });
    assertThat(run.found(Defect.CORRUPT)).isPositive();
  }

  @Test
  void movingUsersReconnectToTheNextServer() throws InterruptedException {
    chat.remember();
    chat.after(2_000 * MILLI, () -> chat.closeAll(1001, "reconnect after 300 ms"));
    VirtualRun run =
        VirtualRun.of(
            room()
                .urls("ws://127.0.0.1:1001/chat", "ws://127.0.0.1:1002/chat")
                .rooms(1, 2)
                .disturbance(new Disturbance(0, Duration.ZERO, 0, 0, true, true, true)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(chat.ports()).hasSize(4).startsWith(1001, 1002);
    assertThat(chat.ports().subList(2, 4)).containsExactlyInAnyOrder(1001, 1002);
    assertThat(run.count(Count.MOVED)).isEqualTo(2);
    assertThat(run.count(Count.RESUMED)).isEqualTo(2);
    assertThat(run.series(Series.CATCH_UP, Clock.SERVICE).getTotalCount()).isEqualTo(2);
  }
}
