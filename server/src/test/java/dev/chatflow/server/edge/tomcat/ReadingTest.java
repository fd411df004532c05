package dev.chatflow.server.edge.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadingTest {

  private final FakeReader reader = new FakeReader();
  private final HeldTimer timer = new HeldTimer();
  private final Reading reading = new Reading(reader, timer);

  @AfterEach
  void close() {
    timer.shutdownNow();
  }

  @Test
  void stopsAndResumesOnChangesOnly() {
    reading.resume();
    reading.stop();
    reading.stop();
    reading.resume();
    reading.resume();
    assertThat(reader.calls).isEqualTo("suspend resume ");
    assertThat(timer.tasks).isEmpty();
  }

  @Test
  void resumptionWaitsUntilTheContainerHasStopped() {
    reading.stop();
    reader.stopping = true;
    reading.resume();
    timer.runAll();
    assertThat(reader.calls).isEqualTo("suspend ");
    reader.stopping = false;
    timer.runAll();
    assertThat(reader.calls).isEqualTo("suspend resume ");
    assertThat(timer.tasks).isEmpty();
  }

  @Test
  void whatIsWantedLastCounts() {
    reading.stop();
    reader.stopping = true;
    reading.resume();
    reading.stop();
    reader.stopping = false;
    timer.runAll();
    assertThat(reader.calls).isEqualTo("suspend ");
    reading.resume();
    assertThat(reader.calls).isEqualTo("suspend resume ");
  }

  @Test
  void oneRetryIsPendingAtMost() {
    reading.stop();
    reader.stopping = true;
    reading.resume();
    reading.stop();
    reading.resume();
    assertThat(timer.tasks).hasSize(1);
  }

  @Test
  void stateOfThisTomcatCanBeSeen() {
    assertThat(new ReadState().isVisible()).isTrue();
  }

  private static final class FakeReader implements Reading.Switch {
    private String calls = "";
    private boolean stopping;

    @Override
    public void suspend() {
      calls += "suspend ";
    }

    @Override
    public void resume() {
      calls += "resume ";
    }

    @Override
    public boolean isStopping() {
      return stopping;
    }
  }

  /** Keeps what is scheduled until told to run it. */
  private static final class HeldTimer extends ScheduledThreadPoolExecutor {
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    HeldTimer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      tasks.add(command);
      return new Never();
    }

    void runAll() {
      for (int due = tasks.size(); due > 0; due--) {
        tasks.remove().run();
      }
    }
  }

  private static final class Never extends java.util.concurrent.CompletableFuture<Void>
      implements ScheduledFuture<Void> {
    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
