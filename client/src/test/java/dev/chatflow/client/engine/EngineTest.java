package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.fake.VirtualConnection;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.series.Clock;
import dev.chatflow.client.series.Series;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whole runs against a server without sockets, in a time that passes as fast as it is computed. */
final class EngineTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  private final VirtualChat chat = new VirtualChat();

  @Test
  void everyCopyArrivesOnceAndIsTimedFromTheWrite() throws InterruptedException {
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

  /** The second in which the server stands still is felt by what was due then, and only there. */
  @Test
  void stallIsFeltOnTheResponseClockAndNotOnTheServiceClock() throws InterruptedException {
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
    assertThat(late).as("one in flight of each user").isEqualTo(10);
  }

  @Test
  void closedModelNeverHasMoreInFlightThanItsWindow() throws InterruptedException {
    chat.swallow(json -> json.get("messageType").getAsString().equals("TEXT"));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 5)
                .texts(200)
                .pacing(Pacing.closed(3))
                .drain(Duration.ofSeconds(1)),
            chat);
    assertThat(run.count(Count.TEXTS_WRITTEN)).as("then all windows are full").isEqualTo(2 * 5 * 3);
    assertThat(run.count(Count.TEXTS_UNSENT)).isEqualTo(2 * 5 * 197);
    assertThat(run.record().gaveUp()).isTrue();
    assertThat(run.record().ended()).contains("drain gave up after 1 s without a delivery");
    assertThat(run.found(Defect.UNANSWERED)).isEqualTo(30);
  }

  @Test
  void windowOpensAgainWhenAnAnswerTakesTooLong() throws InterruptedException {
    chat.swallow(json -> json.get("messageType").getAsString().equals("TEXT"));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 2)
                .texts(2)
                .pacing(Pacing.closed(1))
                .drain(Duration.ofSeconds(30)),
            chat);
    assertThat(run.count(Count.TEXTS_WRITTEN)).isEqualTo(4);
  }

  @Test
  void schedulesInStagesAndPoissonArrivalsSendWhatTheySay() throws InterruptedException {
    List<Pacing.Stage> stages =
        List.of(
            new Pacing.Stage(100, Duration.ofSeconds(2)),
            new Pacing.Stage(300, Duration.ofSeconds(2)));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 2)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.inStages(stages, Pacing.UNBOUNDED, false)),
            chat);
    assertThat(run.count(Count.TEXTS_WRITTEN)).isEqualTo(800);
    VirtualRun poisson =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 2)
                .zipf(1)
                .lasting(Duration.ofSeconds(10))
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, true)),
            new VirtualChat());
    assertThat(poisson.count(Count.TEXTS_WRITTEN)).isBetween(850L, 1_150L);
    assertThat(poisson.record().rooms().getFirst().sent())
        .as("the hot room")
        .isGreaterThan(poisson.record().rooms().getLast().sent() * 3 / 2);
  }

  @Test
  void warmUpIsVerifiedAndNotRecorded() throws InterruptedException {
    VirtualRun users =
        VirtualRun.of(
            new TestPlan().rooms(1, 3).texts(5).warmup(new Warmup(Duration.ZERO, 2, 10)), chat);
    assertThat(users.count(Count.TEXTS_WRITTEN)).isEqualTo(3 * 5 + 2 * 10);
    assertThat(users.count(Count.WARMUP_DELIVERIES)).isEqualTo(2 * 10 * 3);
    assertThat(users.series(Series.ECHO, Clock.SERVICE).getTotalCount()).isEqualTo(15);
    VirtualRun time =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 2)
                .lasting(Duration.ofSeconds(3))
                .warmup(Warmup.of(Duration.ofSeconds(1)))
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, false)),
            new VirtualChat());
    assertThat(time.count(Count.TEXTS_WRITTEN)).isEqualTo(300);
    assertThat(time.series(Series.ECHO, Clock.RESPONSE).getTotalCount()).isEqualTo(200);
  }

  @Test
  void longWarmUpEndsByItselfInEveryModel() throws InterruptedException {
    for (Pacing pacing :
        List.of(Pacing.burst(), Pacing.closed(1), Pacing.open(1_000, Pacing.UNBOUNDED, false))) {
      VirtualRun run =
          VirtualRun.of(
              new TestPlan()
                  .rooms(1, 2)
                  .texts(5)
                  .pacing(pacing)
                  .warmup(new Warmup(Duration.ZERO, 2, 300)),
              new VirtualChat());
      assertThat(run.record().gaveUp()).as("%s", pacing).isFalse();
      assertThat(run.count(Count.WARMUP_DELIVERIES)).as("%s", pacing).isEqualTo(2 * 300 * 2);
    }
  }

  @Test
  void refusedUpgradesAreTriedAgainWithAPause() throws InterruptedException {
    chat.refuseUpgrades("HTTP/1.1 503 Service Unavailable", 4);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3).texts(2), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RETRIES)).isEqualTo(4);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isZero();
    assertThat(run.record().tally().failures())
        .containsEntry("HTTP/1.1 503 Service Unavailable", 4L);
  }

  @Test
  void upgradesAreGivenUpAfterTheirRetries() throws InterruptedException {
    chat.refuseUpgrades("HTTP/1.1 503 Service Unavailable", 100);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3).retries(2), chat);
    assertThat(chat.upgrades()).isEqualTo(3 * 3);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(3);
    assertThat(run.count(Count.TEXTS_UNSENT)).isEqualTo(30);
  }

  @Test
  void wrongPathIsNotAskedForAgain() throws InterruptedException {
    chat.refuseUpgrades("HTTP/1.1 404 Not Found", 100);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3), chat);
    assertThat(chat.upgrades()).as("once a user").isEqualTo(3);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(3);
    assertThat(run.count(Count.RETRIES)).isZero();
  }

  @Test
  void missingPageOfAServerThatWasThereIsAskedForAgain() throws InterruptedException {
    chat.acceptUpgrades(5);
    chat.refuseUpgrades("HTTP/1.1 404 Not Found", 2);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 30).texts(1), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RETRIES)).isEqualTo(2);
  }

  @Test
  void silentServerIsGivenUpByTimeouts() throws InterruptedException {
    chat.fallSilent();
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 2).retries(1), chat);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(2);
    assertThat(run.record().tally().failures()).containsEntry("timeout", 4L);
  }

  @Test
  void refusedJoinIsWrittenAgainWhenTheServerWishes() throws InterruptedException {
    chat.refuseJoins(2);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3).texts(3), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.record().tally().errorCodes()).containsEntry("UNAVAILABLE", 2L);
    assertThat(run.count(Count.JOINS_WRITTEN)).isEqualTo(5);
    assertThat(run.record().senders()).allSatisfy(sender -> assertThat(sender.joins()).isOne());
  }

  @Test
  void refusedTextIsNeitherAcceptedNorLost() throws InterruptedException {
    chat.refuse(json -> json.get("messageId").getAsString().endsWith("000002"));
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(2, 2).texts(5), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.REJECTED)).isEqualTo(4);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(16);
    assertThat(run.record().senders()).allSatisfy(sender -> assertThat(sender.refused()).isOne());
  }

  @Test
  void lostConnectionsComeBackAndSendAgainWhatWasNotSeen() throws InterruptedException {
    chat.after(1_500 * MILLI, () -> chat.stall(200 * MILLI));
    chat.after(1_600 * MILLI, () -> chat.closeAll(1006, ""));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 4)
                .lasting(Duration.ofSeconds(3))
                .pacing(Pacing.open(200, Pacing.UNBOUNDED, false))
                .reconnecting(),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isEqualTo(4);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(4);
    assertThat(run.count(Count.RESENT)).isPositive();
    assertThat(run.series(Series.RECOVERY, Clock.SERVICE).getTotalCount()).isEqualTo(4);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(600);
  }

  @Test
  void lossOnTheWayBackIsNoFurtherMember() throws InterruptedException {
    chat.after(
        1_500 * MILLI,
        () -> {
          chat.closeAll(1001, "reconnect after 300 ms");
          chat.cutJoins(1);
        });
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 2)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.open(50, Pacing.UNBOUNDED, false))
                .reconnecting(),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isEqualTo(3);
    assertThat(run.count(Count.LOST_AGAIN)).isEqualTo(1);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(2);
    assertThat(run.record().tally().failures())
        .as("one reason, whatever the time in it")
        .containsEntry("connection lost: 1001 reconnect after N ms", 2L);
    assertThat(run.series(Series.RECOVERY, Clock.SERVICE).getMinValue())
        .as("the server's wish is kept")
        .isGreaterThanOrEqualTo(300_000);
  }

  @Test
  void memberThatMayNotComeBackIsLostAndOwedNothing() throws InterruptedException {
    chat.after(1_500 * MILLI, () -> chat.open().getFirst().end(4009, "taken over"));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 3)
                .lasting(Duration.ofSeconds(3))
                .pacing(Pacing.open(60, Pacing.UNBOUNDED, false))
                .reconnecting(),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isEqualTo(1);
    assertThat(run.count(Count.RECONNECTIONS)).isZero();
    assertThat(run.count(Count.SYNTHETIC_LEAVES)).isEqualTo(2);
    assertThat(run.record().tally().closeCodes()).containsEntry(4009, 1L);
  }

  @Test
  void churnDropsAShareAndMendsIt() throws InterruptedException {
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(2, 10)
                .lasting(Duration.ofSeconds(4))
                .pacing(Pacing.open(100, Pacing.UNBOUNDED, false))
                .disturbance(new Disturbance(0.1, Duration.ofSeconds(1), 0, 0, true)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.DROPPED)).isBetween(6L, 8L);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(run.count(Count.DROPPED));
  }

  @Test
  void slowReaderFallsBehindAndTheOthersDoNot() throws InterruptedException {
    long[] paused = new long[1];
    for (int i = 1; i < 40; i++) {
      chat.after(
          100L * i * MILLI,
          () -> paused[0] += chat.open().stream().filter(VirtualConnection::isPaused).count());
    }
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 10)
                .lasting(Duration.ofSeconds(3))
                .pacing(Pacing.open(200, Pacing.UNBOUNDED, false))
                .disturbance(new Disturbance(0, Duration.ZERO, 0.1, 50, false)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(paused[0]).as("looks at which one connection was not read").isGreaterThan(10);
    assertThat(run.series(Series.DELIVERY, Clock.RESPONSE).getMaxValue())
        .as("the latency of the others")
        .isLessThan(20_000);
  }

  @Test
  void poolLetsUsersTakeTurns() throws InterruptedException {
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(2, 6).texts(3).poolSize(4), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(chat.mostOpen()).isEqualTo(4);
    assertThat(chat.upgrades()).isEqualTo(12);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(36);
    assertThat(run.count(Count.LEAVES_ECHOED)).isEqualTo(12);
  }

  @Test
  void visitOfASilentServerIsGivenUp() throws InterruptedException {
    chat.swallow(json -> json.get("messageType").getAsString().equals("LEAVE"));
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 4).texts(1).poolSize(2), chat);
    assertThat(run.record().tally().failures())
        .containsEntry("connection lost: 1006 LEAVING unanswered", 4L);
  }

  @Test
  void mixLeavesAndJoinsAgainOnTheSameConnection() throws InterruptedException {
    VirtualRun run =
        VirtualRun.of(
            new TestPlan().rooms(1, 4).texts(50).pacing(Pacing.closed(1)).mix(new Mix(80, 10, 10)),
            chat);
    assertThat(run.isClean()).isTrue();
    assertThat(chat.upgrades()).isEqualTo(4);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(200);
    assertThat(run.count(Count.JOINS_WRITTEN)).isEqualTo(run.count(Count.LEAVES_WRITTEN));
    assertThat(run.count(Count.LEAVES_WRITTEN)).isBetween(4 + 20L, 4 + 28L);
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
  void interruptedRunHasNotTriedWhatItDidNotComeTo() throws InterruptedException {
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
    assertThat(run.count(Count.LEAVES_ECHOED)).as("it leaves in good order").isEqualTo(4);
  }

  @Test
  void lostAndDoubledCopiesAreFound() throws InterruptedException {
    chat.swallow(json -> json.get("messageId").getAsString().endsWith("000003"));
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 3)
                .texts(5)
                .level(Judging.Level.TOTAL_ORDER)
                .drain(Duration.ofSeconds(1)),
            chat);
    assertThat(run.found(Defect.LOST)).isEqualTo(9);
    assertThat(run.found(Defect.UNANSWERED)).isEqualTo(3);
    assertThat(run.found(Defect.DIVERGENT)).isZero();
  }

  @Test
  void messagesAreKeptWhenTheyAreAskedFor() throws InterruptedException {
    VirtualRun run = VirtualRun.traced(new TestPlan().rooms(1, 2).texts(3), chat);
    assertThat(run.messages()).hasSize(2 * (1 + 3 + 1)).allMatch(MessageFigures::isAccepted);
    assertThat(run.messages().stream().map(MessageFigures::type))
        .containsExactly(
            "JOIN", "TEXT", "TEXT", "TEXT", "LEAVE", "JOIN", "TEXT", "TEXT", "TEXT", "LEAVE");
  }

  @Test
  void postsAreRepeatedUntilTheyAreAcceptedOrRefused() throws InterruptedException {
    chat.answerPosts(503, 202, 201, 400);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 2).texts(3).http(2), chat);
    assertThat(run.count(Count.RETRIES)).isEqualTo(2);
    assertThat(run.record().tally().errorCodes()).containsEntry("HTTP 400", 1L);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(5);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(10);
    assertThat(run.isClean()).isTrue();
  }

  @Test
  void unansweredPostIsGivenUp() throws InterruptedException {
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 1).texts(1).retries(1).http(0), chat);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(1);
    VirtualChat silent = new VirtualChat();
    silent.fallSilent();
    VirtualRun none = VirtualRun.of(new TestPlan().rooms(1, 1).texts(1).retries(1).http(0), silent);
    assertThat(none.record().tally().errorCodes()).containsEntry("POST unanswered", 1L);
  }

  @Test
  void wavesBeginWhenAFifthOfTheOneBeforeHasFinished() throws InterruptedException {
    VirtualRun run =
        VirtualRun.of(
            new TestPlan()
                .rooms(1, 20)
                .http(0)
                .pacing(Pacing.closed(1))
                .waves(new Wave("ONE", 5, 10), new Wave("TWO", 10, 5), new Wave("THREE", 2, 3)),
            chat);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(5 * 10 + 10 * 5 + 2 * 3);
    assertThat(run.waves())
        .containsExactly("ONE", "ONE 20%", "TWO", "TWO 20%", "THREE", "THREE 20%");
  }

  @Test
  void usersOfOneServerAreToldFromThoseOfAnother() throws InterruptedException {
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
}
