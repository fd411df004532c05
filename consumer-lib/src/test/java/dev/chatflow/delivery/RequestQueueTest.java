package dev.chatflow.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestQueueTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final RequestQueue requests = new RequestQueue();
  private boolean ready = true;

  private CompletableFuture<String> ask(long nowNanos) {
    return requests.ask(
        new RequestQueue.Question<>(() -> ready, () -> "well", () -> "late", "too many"), nowNanos);
  }

  @Test
  void answersByTheOwnersStep() {
    CompletableFuture<String> answer = ask(0);
    assertThat(answer).isNotDone();

    assertThat(requests.step(0)).isGreaterThan(60 * SECOND);
    assertThat(answer).isCompletedWithValue("well");
  }

  @Test
  void waitsForAGoodAnswerForTwoSeconds() {
    ready = false;
    CompletableFuture<String> early = ask(0);
    CompletableFuture<String> late = ask(SECOND);

    assertThat(requests.step(SECOND)).isLessThan(SECOND);
    assertThat(early).isNotDone();
    assertThat(requests.step(2 * SECOND)).isLessThan(SECOND);
    assertThat(early).isCompletedWithValue("late");
    ready = true;
    long _ = requests.step(2 * SECOND);
    assertThat(late).isCompletedWithValue("well");
  }

  @Test
  void requestsBeyondTheBoundAreRefusedAtOnce() {
    ready = false;
    for (int i = 0; i < RequestQueue.MAX_QUESTIONS; i++) {
      assertThat(ask(0)).isNotDone();
    }

    assertThat(ask(0)).isCompletedWithValue("too many");
  }
}
