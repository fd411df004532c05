package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ClientThreadsTest {

  private final ClientThreads threads = new ClientThreads("chat-amqp-test-");

  @Test
  void waitsForTheEndOfEveryThreadThatRuns() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    Thread running = threads.newThread(() -> await(release));
    running.start();
    threads.newThread(() -> {}).start();

    assertThat(threads.awaitEnd(Duration.ZERO)).isFalse();
    release.countDown();

    assertThat(threads.awaitEnd(Duration.ofSeconds(20))).isTrue();
    assertThat(running.isAlive()).isFalse();
  }

  @Test
  void doesNotWaitForAThreadThatWasNeverStarted() throws InterruptedException {
    Thread made = threads.newThread(() -> {});

    assertThat(threads.awaitEnd(Duration.ZERO)).isTrue();
    assertThat(made.getName()).isEqualTo("chat-amqp-test-0");
    assertThat(made.isDaemon()).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
