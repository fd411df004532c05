package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.support.CapturedLog;
import dev.chatflow.support.UncaughtHandler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerTimerTest {

  private final ServerTimer timer = new ServerTimer();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  /** One exception silently ended all heartbeats. */
  @Test
  void taskThatFailsIsRunAgainAndDoesNotFloodTheLog() {
    AtomicInteger runs = new AtomicInteger();
    try (CapturedLog log = CapturedLog.of(ServerTimer.class)) {
      timer.every(
          Duration.ofMillis(1),
          () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("a bug, caused on purpose");
          });
      await().atMost(Duration.ofMinutes(1)).until(() -> runs.get() > 3);
      timer.shutdownNow();
      assertThat(log.lines()).singleElement().asString().contains("a bug, caused on purpose");
    }
  }

  @Test
  void oneFailureDoesNotHarmTheNextTask() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    try (CapturedLog log = CapturedLog.of(UncaughtHandler.class)) {
      Future<?> failing =
          timer.schedule(
              () -> {
                throw new IllegalStateException("a bug, caused on purpose");
              },
              0,
              TimeUnit.MILLISECONDS);
      var _ = timer.schedule(done::countDown, 1, TimeUnit.MILLISECONDS);
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(failing.state()).isEqualTo(Future.State.FAILED);
      assertThat(log.lines()).singleElement().asString().contains("a bug, caused on purpose");
    }
  }

  @Test
  void tasksDueAfterAShutdownAreDroppedSilently() {
    timer.shutdownNow();
    var _ = timer.schedule(() -> {}, 0, TimeUnit.MILLISECONDS);
    assertThat(timer.getQueue()).isEmpty();
  }
}
