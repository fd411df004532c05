package dev.chatflow.room;

import static dev.chatflow.room.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which threads wait while too many rooms do, which run the rounds, and which end on close. */
class FanOutThreadsTest {

  private final FanOutScene scene = new FanOutScene();
  private final ManualFanOut rounds = scene.rounds();
  private final FanOut fanOut = scene.fanOut();

  @Test
  void appenderWaitsWhileTooManyRoomsWait() {
    Thread appender = waitingAppender(() -> {});
    assertThat(fanOut.roomsWaiting()).isEqualTo(3);

    rounds.runOne();

    soon().until(() -> !appender.isAlive());
    assertThat(fanOut.roomsWaiting()).isEqualTo(3);
  }

  @Test
  void appendToARoomThatWaitsAlreadyDoesNotWait() {
    scene.joinEach("1", "2", "3");

    scene.say("1");

    assertThat(fanOut.roomsWaiting()).isEqualTo(3);
  }

  @Test
  void completionNeverWaits() {
    FakeMember member = scene.joinHeld("1");
    scene.say("1");
    rounds.runAll();
    scene.joinEach("2", "3", "4");

    member.sink().release();

    assertThat(fanOut.roomsWaiting()).isEqualTo(4);
    rounds.runAll();
    assertThat(member.texts()).hasSize(2);
  }

  @Test
  void closeFreesWaitingAppenders() {
    Thread appender = waitingAppender(() -> {});

    fanOut.close();

    soon().until(() -> !appender.isAlive());
  }

  @Test
  void interruptedAppenderGoesOnInterrupted() {
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread appender =
        waitingAppender(() -> interrupted.set(Thread.currentThread().isInterrupted()));

    appender.interrupt();

    soon().untilTrue(interrupted);
  }

  @Test
  void roundsRunOnNamedWriterThreads() {
    Set<String> names = ConcurrentHashMap.newKeySet();
    try (FanOut real = started(2)) {
      FanOutScene.join(real, new OnWrite(() -> names.add(Thread.currentThread().getName())));

      soon().until(() -> !names.isEmpty());
      assertThat(names).allMatch(name -> name.matches("chat-writer-[12]"));
    }
  }

  @Test
  void roundThatThrowsIsReportedAsItsThreadsException() {
    FakeMember broken = new FakeMember("broken");
    broken.sink().breakNextWrite();
    try (Uncaught uncaught = new Uncaught();
        FanOut real = started(1)) {
      FanOutScene.join(real, broken);

      soon()
          .dontCatchUncaughtExceptions()
          .until(() -> uncaught.reports.contains("chat-writer-1: broken sink"));
    }
  }

  @Test
  void nothingIsWrittenAfterClose() {
    FanOut real = started(1);
    real.close();
    FakeMember member = new FakeMember("m");

    FanOutScene.join(real, member);

    soon().until(() -> isNoWriterAlive()); // no thread is left that could write later
    assertThat(real.rounds()).isZero();
    assertThat(member.texts()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 1, PT0.001S", "1, 0, PT0.001S", "1, 1, PT0S"})
  void boundsAreChecked(int writers, int capacityRooms, Duration maxPace) {
    assertThatThrownBy(() -> new FanOutConfig(writers, capacityRooms, maxPace))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean isNoWriterAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("chat-writer-"));
  }

  /** Starts a thread that waits, because it appends to one room more than may wait. */
  private Thread waitingAppender(Runnable afterwards) {
    scene.joinEach("1", "2", "3");
    Thread appender =
        Thread.ofPlatform()
            .start(() -> {
              scene.joinEach("4");
              afterwards.run();
            });
    soon().until(() -> appender.getState() == Thread.State.WAITING);
    return appender;
  }

  private static FanOut started(int writers) {
    FanOut real = new FanOut(new FanOutConfig(writers, 10, Duration.ofMillis(1)));
    real.start();
    return real;
  }

  /** Collects uncaught exceptions of threads while it is open. */
  private static final class Uncaught implements AutoCloseable {
    private final Set<String> reports = ConcurrentHashMap.newKeySet();
    private final Thread.UncaughtExceptionHandler before =
        Thread.getDefaultUncaughtExceptionHandler();

    Uncaught() {
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, thrown) -> reports.add(thread.getName() + ": " + thrown.getMessage()));
    }

    @Override
    public void close() {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
