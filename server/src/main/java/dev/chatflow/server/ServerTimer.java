package dev.chatflow.server;

import dev.chatflow.server.sink.Timer;
import dev.chatflow.support.RateLimitedLog;
import dev.chatflow.support.UncaughtHandler;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread {@code chat-timer} for scheduled and periodic tasks. A failed task is logged and
 * affects no other task.
 *
 * <p>Any thread schedules; tasks due after a shutdown are dropped.
 */
public final class ServerTimer extends ScheduledThreadPoolExecutor implements Timer {

  private static final Logger log = LoggerFactory.getLogger(ServerTimer.class);

  /** Interval of log lines for a task that fails repeatedly. */
  private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

  public ServerTimer() {
    super(
        1,
        Thread.ofPlatform()
            .name("chat-timer")
            .uncaughtExceptionHandler(new UncaughtHandler())
            .factory(),
        new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Runs a task forever, each time a period after its last end, even after a failure. */
  void every(Duration period, Runnable task) {
    long nanos = period.toNanos();
    RateLimitedLog reports = new RateLimitedLog(REPORT_EVERY, System.nanoTime());
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            failed(task.getClass().getSimpleName(), e, reports.take(System.nanoTime()));
          }
        };
    var _ = scheduleWithFixedDelay(guarded, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public void after(Duration delay, Runnable task) {
    var _ = schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void parking(Runnable task) {
    Thread.startVirtualThread(task);
  }

  private static void failed(String task, Throwable failure, long held) {
    if (held != RateLimitedLog.NOT_NOW) {
      log.error("{} failed ({} more times since); the timer continues", task, held, failure);
    }
  }

  @Override
  protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
    super.afterExecute(task, thrown);
    if (task instanceof Future<?> once && once.state() == Future.State.FAILED) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, once.exceptionNow());
    }
  }
}
