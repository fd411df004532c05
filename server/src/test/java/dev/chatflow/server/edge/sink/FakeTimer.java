package dev.chatflow.server.edge.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer without a thread, whose time comes when told, on the thread that tells. */
final class FakeTimer extends ScheduledThreadPoolExecutor {

  private record Task(Runnable action, long delayMillis) {}

  private final List<Task> tasks = new ArrayList<>();

  FakeTimer() {
    super(0);
  }

  @Override
  public synchronized ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
    tasks.add(new Task(action, unit.toMillis(delay)));
    return new NoFuture();
  }

  synchronized List<Long> delays() {
    return tasks.stream().map(Task::delayMillis).toList();
  }

  /** Runs everything that is scheduled now. */
  void run() {
    List<Task> due;
    synchronized (this) {
      due = List.copyOf(tasks);
      tasks.clear();
    }
    due.forEach(task -> task.action().run());
  }

  /** Nobody asks for it. */
  private static final class NoFuture extends CompletableFuture<Void>
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
