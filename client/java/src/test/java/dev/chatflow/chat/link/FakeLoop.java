package dev.chatflow.chat.link;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the tasks of a room on the test's thread, with a clock that the test advances. */
public final class FakeLoop implements Loop {

  private record Due(long at, long order, Runnable task) {}

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final PriorityQueue<Due> timers =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
  private static final long START = 1_795_000_000_000L;

  private long now = START;
  private long order;
  private boolean isRunning;

  /** Whether calls now come from the room's own thread. */
  public boolean isHere = true;

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    run();
  }

  private void run() {
    if (isRunning) {
      return;
    }
    isRunning = true;
    try {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    } finally {
      isRunning = false;
    }
  }

  /** Lets time pass and runs due tasks. */
  public void pass(long millis) {
    long end = now + millis;
    for (Due due = timers.peek(); due != null && due.at <= end; due = timers.peek()) {
      timers.remove(due);
      now = Math.max(now, due.at);
      execute(due.task);
    }
    now = end;
  }

  /** Lets time pass without running tasks, as on a sleeping machine. */
  public void sleep(long millis) {
    now += millis;
    pass(0);
  }

  public int timers() {
    return timers.size();
  }

  @Override
  public Timer after(long millis, Runnable task) {
    Due due = new Due(now + millis, order++, task);
    timers.add(due);
    return () -> timers.remove(due);
  }

  /** Whether blocking calls never return. */
  public boolean holdAsides;

  @Override
  public <T extends @Nullable Object> void aside(
      Callable<T> slow, Consumer<T> then, Consumer<Exception> otherwise) {
    if (holdAsides) {
      return;
    }
    try {
      T result = slow.call();
      execute(() -> then.accept(result));
    } catch (Exception e) {
      execute(() -> otherwise.accept(e));
    }
  }

  /** How far the machine's clock is ahead of the server's, in ms; it may jump. */
  public long clockOffset;

  @Override
  public long now() {
    return now + clockOffset;
  }

  /** Returns the time of the server's clock. */
  public long serverTime() {
    return now;
  }

  @Override
  public long elapsed() {
    return now - START;
  }

  @Override
  public double chance() {
    return 0.5;
  }

  @Override
  public boolean isHere() {
    return isHere;
  }
}
