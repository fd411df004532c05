package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests complete runs with upgrades, JOINs and texts that are refused or not answered. */
final class RefusalRunTest {
  private final VirtualChat chat = new VirtualChat();

  @Test
  void refusedUpgradesAreRetried() throws InterruptedException {
    chat.refuseUpgrades("HTTP/1.1 503 Service Unavailable", 4);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3).texts(2), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RETRIES)).isEqualTo(4);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isZero();
    assertThat(run.record().tally().failures())
        .containsEntry("HTTP/1.1 503 Service Unavailable", 4L);
  }

  @Test
  void upgradesAreAbandonedAfterTheirRetries() throws InterruptedException {
    chat.refuseUpgrades("HTTP/1.1 503 Service Unavailable", 100);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3).retries(2), chat);
    assertThat(chat.upgrades()).isEqualTo(3 * 3);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(3);
    assertThat(run.count(Count.TEXTS_UNSENT)).isEqualTo(30);
  }

  @Test
  void wrongPathIsNotRetried() throws InterruptedException {
    chat.refuseUpgrades("HTTP/1.1 404 Not Found", 100);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3), chat);
    assertThat(chat.upgrades()).as("one per user").isEqualTo(3);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(3);
    assertThat(run.count(Count.RETRIES)).isZero();
  }

  @Test
  void notFoundIsRetriedOnAServerThatAcceptedConnections() throws InterruptedException {
    chat.acceptUpgrades(5);
    chat.refuseUpgrades("HTTP/1.1 404 Not Found", 2);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 30).texts(1), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RETRIES)).isEqualTo(2);
  }

  @Test
  void connectionsToASilentServerTimeOut() throws InterruptedException {
    chat.fallSilent();
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 2).retries(1), chat);
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(2);
    assertThat(run.record().tally().failures()).containsEntry("timeout", 4L);
  }

  @Test
  void refusedJoinIsRepeatedAfterTheRequestedDelay() throws InterruptedException {
    chat.refuseJoins(2);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 3).texts(3), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.record().tally().errorCodes()).containsEntry("UNAVAILABLE", 2L);
    assertThat(run.count(Count.JOINS_WRITTEN)).isEqualTo(5);
    assertThat(run.record().senders()).allSatisfy(sender -> assertThat(sender.joins()).isOne());
  }

  @Test
  void joinsThatStayRefusedAreReportedAndDelayARoomOnlyOnce() throws InterruptedException {
    chat.refuseJoins(Integer.MAX_VALUE);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 4).texts(2), chat);
    assertThat(run.record().tally().failures()).containsExactly(entry("JOIN refused", 4L));
    assertThat(run.count(Count.CONNECTIONS_FAILED)).isEqualTo(4);
    assertThat(run.found(Defect.UNANSWERED)).isZero();
    assertThat(run.isClean()).as("without members nothing is lost").isTrue();
    long refused = run.record().tally().errorCodes().getOrDefault("UNAVAILABLE", 0L);
    assertThat(refused).as("every JOIN was refused").isEqualTo(run.count(Count.JOINS_WRITTEN));
    assertThat(chat.nanoTime()).isLessThan(Duration.ofSeconds(20).toNanos());
  }

  @Test
  void pooledUsersWhoseJoinsStayRefusedPassTheirTurnOn() throws InterruptedException {
    chat.refuseJoins(Integer.MAX_VALUE);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 4).texts(2).poolSize(2), chat);
    assertThat(run.record().tally().failures()).containsExactly(entry("JOIN refused", 4L));
    assertThat(run.found(Defect.UNANSWERED)).isZero();
  }

  @Test
  void refusedTextIsNeitherAcceptedNorLost() throws InterruptedException {
    chat.refuse(VirtualChat.id("000002"));
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(2, 2).texts(5), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.REJECTED)).isEqualTo(4);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(16);
    assertThat(run.record().senders()).allSatisfy(sender -> assertThat(sender.refused()).isOne());
  }
}
