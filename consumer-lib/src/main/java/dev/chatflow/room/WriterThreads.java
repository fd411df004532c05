package dev.chatflow.room;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The writer threads, {@code chat-writer-1} and so on.
 *
 * <p>They are never interrupted: that would close the socket channel that a writer is writing to.
 */
final class WriterThreads implements Scheduler {

  /** A round never parks, so this bound is reached only on a machine that is paused. */
  private static final long CLOSE_SECONDS = 5;

  private final Pool pool;

  WriterThreads(int threads) {
    pool = new Pool(threads);
  }

  @Override
  public void start() {
    pool.prestartAllCoreThreads();
  }

  @Override
  public void schedule(Runnable round, long delayNanos) {
    var _ = pool.schedule(round, delayNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void park(long nanos) {
    LockSupport.parkNanos(this, nanos);
  }

  @Override
  public void close() {
    pool.shutdown();
    try {
      pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Pool extends ScheduledThreadPoolExecutor {

    Pool(int threads) {
      super(
          threads,
          Thread.ofPlatform().name("chat-writer-", 1).daemon().factory(),
          new DiscardPolicy());
      setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Passes an exception of a round to the thread's exception handler. */
    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
      super.afterExecute(task, thrown);
      if (task instanceof Future<?> round && round.state() == Future.State.FAILED) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, round.exceptionNow());
      }
    }
  }
}
