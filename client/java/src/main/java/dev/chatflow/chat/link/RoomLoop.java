package dev.chatflow.chat.link;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a room on a virtual thread; the timers are shared by all rooms.
 *
 * <p>The queue is bounded by its users: one frame per connection, the unacknowledged texts, a few
 * timers.
 */
public final class RoomLoop implements Loop {

  private static final long START = System.nanoTime();

  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final ScheduledExecutorService timers;
  private final Thread thread;
  private volatile boolean isEnded;

  /** Starts the thread. It runs until {@link #end}. */
  public RoomLoop(String name, ScheduledExecutorService timers) {
    this.timers = timers;
    this.thread = Thread.ofVirtual().name(name).start(this::run);
  }

  /**
   * Ends the thread after all tasks that were handed in before. Later tasks still run, so that no
   * caller waits forever for a room that was left.
   */
  public void end() {
    execute(() -> isEnded = true);
  }

  private void run() {
    try {
      while (!isEnded) {
        step(tasks.take());
      }
      runRest();
    } catch (InterruptedException ignored) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void runRest() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      step(task);
    }
  }

  /**
   * Runs a task. An exception of the program's listener goes to the thread's handler and does not
   * end this thread.
   */
  private static void step(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, e);
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (isEnded) {
      Thread.ofVirtual().name(thread.getName() + "-rest").start(this::runRest);
    }
  }

  @Override
  public Timer after(long millis, Runnable task) {
    boolean[] isCancelled = new boolean[1]; // used only by the room's thread
    try {
      var due =
          timers.schedule(
              () -> execute(() -> runUnless(isCancelled, task)), millis, TimeUnit.MILLISECONDS);
      return () -> {
        isCancelled[0] = true;
        due.cancel(false);
      };
    } catch (RejectedExecutionException ignored) {
      return Timer.NONE; // the program has closed everything
    }
  }

  private static void runUnless(boolean[] isCancelled, Runnable task) {
    if (!isCancelled[0]) {
      task.run();
    }
  }

  @Override
  public <T extends @Nullable Object> void aside(
      Callable<T> slow, Consumer<T> then, Consumer<Exception> otherwise) {
    Thread.ofVirtual()
        .name(thread.getName() + "-aside")
        .start(() -> {
          try {
            T result = slow.call();
            execute(() -> then.accept(result));
          } catch (Exception e) { // any exception of the program's code
            execute(() -> otherwise.accept(e));
          }
        });
  }

  @Override
  public long now() {
    return System.currentTimeMillis();
  }

  /** Returns how long this class has been loaded, in ms. The wall clock does not affect it. */
  public static long uptime() {
    return (System.nanoTime() - START) / 1_000_000;
  }

  @Override
  public long elapsed() {
    return uptime();
  }

  @Override
  public double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }

  @Override
  public boolean isHere() {
    return Thread.currentThread().equals(thread);
  }
}
