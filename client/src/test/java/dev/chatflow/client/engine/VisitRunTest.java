package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import org.junit.jupiter.api.Test;

/** Tests complete runs with a pool, with the LEAVEs and JOINs of a mix, or with posted texts. */
final class VisitRunTest {
  private final VirtualChat chat = new VirtualChat();

  @Test
  void usersOfAPoolTakeTurns() throws InterruptedException {
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(2, 6).texts(3).poolSize(4), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(chat.mostOpen()).isEqualTo(4);
    assertThat(chat.upgrades()).isEqualTo(12);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(36);
    assertThat(run.count(Count.LEAVES_ECHOED)).isEqualTo(12);
  }

  @Test
  void visitIsAbandonedIfItsLeaveIsNotAnswered() throws InterruptedException {
    chat.swallow(VirtualChat.type("LEAVE"));
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 4).texts(1).poolSize(2), chat);
    assertThat(run.record().tally().failures())
        .containsEntry("connection lost: 1006 LEAVING unanswered", 4L);
  }

  @Test
  void mixLeavesAndRejoinsOnTheSameConnection() throws InterruptedException {
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
  void postsAreRepeatedUntilTheyAreAcceptedOrRefused() throws InterruptedException {
    chat.answerPosts(503, 202, 201, 400);
    VirtualRun run = VirtualRun.of(new TestPlan().rooms(1, 2).texts(3).http(2), chat);
    assertThat(run.count(Count.RETRIES)).isEqualTo(2);
    assertThat(run.record().tally().errorCodes()).containsEntry("HTTP 400", 1L);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(5);
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(10);
    assertThat(run.isClean()).isTrue();
  }
}
