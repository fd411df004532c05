package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests complete runs against a server without sockets, in virtual time. */
final class EngineTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  private final VirtualChat chat = new VirtualChat();

  @Test
  void everyCopyArrivesOnceAndIsMeasuredFromTheWrite() throws InterruptedException {
    chat.latency(5 * MILLI);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(2, 3).texts(20), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(2 * 3 * 20 * 3);
    assertThat(run.record().tally().deliveries()).isEqualTo(2 * (3 * 20 * 3 + 6 + 6));
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(2 * 3 * 20);
    assertThat(run.series(Series.DELIVERY, Clock.SERVICE).getMinValue()).isEqualTo(5_000);
    assertThat(run.series(Series.DELIVERY, Clock.SERVICE).getTotalCount()).isEqualTo(360);
    assertThat(run.series(Series.FANOUT, Clock.SERVICE).getTotalCount()).isEqualTo(120);
    assertThat(run.record().ended()).isEqualTo("drain finished");
    assertThat(run.record().rooms())
        .hasSize(2)
        .allSatisfy(room -> assertThat(room.delivered()).isEqualTo(180));
    assertThat(run.record().senders())
        .hasSize(6)
        .allSatisfy(sender ->
            assertThat(List.of(sender.joins(), sender.texts(), sender.leaves()))
                .containsExactly(1L, 20L, 1L));
    assertThat(run.record().phases().nanosBetween(Phase.CONNECT, Phase.DONE)).isPositive();
  }

  /** A stall of one second delays only the texts that are due during it. */
  @Test
  void stallAppearsInResponseTimesButNotInServiceTimes() throws InterruptedException {
    chat.after(2 * SECOND, () -> chat.stall(SECOND));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 10)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.open(1_000, 1, false)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.TEXTS_WRITTEN)).as("the schedule is kept").isEqualTo(4_000);
    double response = run.series(Series.ECHO, Clock.RESPONSE).getMaxValue() / 1e6;
    assertThat(response).isBetween(1.0, 1.2);
    assertThat(run.series(Series.ECHO, Clock.RESPONSE).getValueAtPercentile(90) / 1e6)
        .as("a quarter of the messages waited")
        .isBetween(0.5, 1.1);
    long late = run.series(Series.ECHO, Clock.SERVICE).getCountBetweenValues(100_000, 2_000_000);
    assertThat(late).as("one in-flight text per user").isEqualTo(10);
  }

  @Test
  void fullSocketDelaysTheWriteTime() throws InterruptedException {
    chat.after(SECOND, () -> chat.open().getFirst().fillUp(500 * MILLI));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 2)
                .lasting(Duration.ofSeconds(2))
                .pacing(Pacing.open(1_000, Pacing.UNBOUNDED, false)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(2_000);
    assertThat(run.series(Series.ECHO, Clock.RESPONSE).getMaxValue()).isGreaterThan(490_000);
    assertThat(run.series(Series.ECHO, Clock.SERVICE).getMaxValue()).isLessThan(20_000);
  }

  @Test
  void deliveriesWithinAndAcrossServersAreSeparated() throws InterruptedException {
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .urls("ws://127.0.0.1:1/chat", "ws://127.0.0.1:2/chat")
                .rooms(1, 4)
                .texts(10),
            chat);
    assertThat(run.series(Series.DELIVERY_SAME, Clock.SERVICE).getTotalCount()).isEqualTo(80);
    assertThat(run.series(Series.DELIVERY_CROSS, Clock.SERVICE).getTotalCount()).isEqualTo(80);
  }

  @Test
  void interruptedRunCountsRemainingTextsAsUntried() throws InterruptedException {
    VirtualRun run =
        VirtualRun.stopped(
            new TestPlan()
                .rooms(1, 4)
                .texts(1_000)
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, false)),
            chat,
            2 * SECOND);
    assertThat(run.record().interrupted()).isTrue();
    assertThat(run.record().ended()).isEqualTo("interrupted");
    assertThat(run.count(Count.TEXTS_UNSENT)).isZero();
    assertThat(run.count(Count.TEXTS_UNTRIED) + run.count(Count.TEXTS_WRITTEN)).isEqualTo(4_000);
    assertThat(run.count(Count.LEAVES_ECHOED)).as("users still leave their rooms").isEqualTo(4);
  }

  @Test
  void lostAndDuplicateCopiesAreFound() throws InterruptedException {
    chat.swallow(VirtualChat.id("000003"));
    chat.changeFrames(
        (_, frame) -> frame.contains("000002\"") ? List.of(frame, frame) : List.of(frame));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 3)
                .texts(5)
                .level(Judging.Level.TOTAL_ORDER)
                .drain(Duration.ofSeconds(1)),
            chat);
    assertThat(run.found(Defect.LOST)).isEqualTo(9);
    assertThat(run.found(Defect.DUPLICATE)).isEqualTo(9);
    assertThat(run.found(Defect.UNANSWERED)).isEqualTo(3);
    assertThat(run.found(Defect.DIVERGENT)).isZero();
  }

  @Test
  void messagesAreTracedOnRequest() throws InterruptedException {
    VirtualRun run = VirtualRun.traced(new TestPlan().rooms(1, 2).texts(3), chat);
    assertThat(run.messages()).hasSize(2 * (1 + 3 + 1)).allMatch(MessageFigures::isAccepted);
    assertThat(run.messages().stream().map(MessageFigures::type))
        .containsExactly(
            "JOIN", "TEXT", "TEXT", "TEXT", "LEAVE", "JOIN", "TEXT", "TEXT", "TEXT", "LEAVE");
  }
}
