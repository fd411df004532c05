package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests posted texts: one at a time, repeated under the same key, or refused. */
final class PosterTest {
  private Scene scene(TestPlan plan) {
    Scene scene = new Scene(plan.rooms(1, 1).http(0).pacing(Pacing.closed(1)));
    scene.enter(Phase.MAIN);
    return scene;
  }

  @Test
  void nextTextIsPostedAfterTheAnswerToTheLastOne() {
    Scene scene = scene(new TestPlan().texts(3));
    User user = scene.user(0);
    assertThat(user.member().posts).isTrue();
    user.pump();
    assertThat(user.member().log.texts()).isEqualTo(1);
    user.pump();
    assertThat(user.member().log.texts()).as("one at a time").isEqualTo(1);
    scene.pass(10);
    assertThat(scene.count(Count.TEXTS_ECHOED)).isEqualTo(3);
    assertThat(user.isBusy()).isFalse();
  }

  /** A response with status 503 requests a delay of 300 ms. */
  @ParameterizedTest
  @ValueSource(ints = {202, 429, 503})
  void responsesThatRequestARetryRepeatThePost(int status) {
    Scene scene = scene(new TestPlan().texts(1));
    scene.chat.answerPosts(status, status);
    scene.user(0).pump();
    scene.pass(1_000);
    assertThat(scene.count(Count.RETRIES)).isEqualTo(2);
    assertThat(scene.count(Count.TEXTS_ECHOED)).isEqualTo(1);
    assertThat(scene.context.tally.failures()).containsEntry("HTTP " + status, 2L);
    assertThat(scene.user(0).member().log.isResent(1)).isTrue();
  }

  @Test
  void retryWaitsForTheRequestedDelay() {
    Scene scene = scene(new TestPlan().texts(1));
    scene.chat.answerPosts(503);
    scene.user(0).pump();
    scene.pass(290);
    assertThat(scene.count(Count.RETRIES)).isZero();
    scene.pass(30);
    assertThat(scene.count(Count.RETRIES)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 409, 422, 500})
  void otherErrorsRefuseTheTextAndTheNextOneIsPosted(int status) {
    Scene scene = scene(new TestPlan().texts(2));
    scene.chat.answerPosts(status);
    scene.user(0).pump();
    scene.pass(10);
    assertThat(scene.context.tally.errorCodes()).containsEntry("HTTP " + status, 1L);
    assertThat(scene.count(Count.TEXTS_ECHOED)).isEqualTo(1);
    assertThat(scene.user(0).sender().unsent()).isZero();
  }

  @Test
  void unansweredPostIsAbandonedAfterItsRetries() {
    Scene scene = scene(new TestPlan().texts(1).retries(1));
    scene.chat.fallSilent();
    scene.user(0).pump();
    scene.pass(10_020);
    assertThat(scene.count(Count.RETRIES)).isZero();
    scene.pass(100);
    assertThat(scene.count(Count.RETRIES)).isEqualTo(1);
    scene.pass(10_020);
    assertThat(scene.context.tally.errorCodes()).containsEntry("POST unanswered", 1L);
  }

  @Test
  void stoppedRunRepeatsNoPost() {
    Scene scene = scene(new TestPlan().texts(1));
    scene.chat.answerPosts(503, 503);
    scene.user(0).pump();
    scene.gate.stop();
    scene.pass(1_000);
    assertThat(scene.count(Count.RETRIES)).isZero();
    assertThat(scene.count(Count.REJECTED)).isEqualTo(1);
  }

  @Test
  void closedPosterIgnoresAnswers() {
    Scene scene = scene(new TestPlan().texts(1));
    scene.user(0).pump();
    scene.user(0).close(scene.context.now());
    scene.pass(10);
    assertThat(scene.count(Count.TEXTS_ECHOED)).isZero();
  }
}
