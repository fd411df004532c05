package dev.chatflow.server.sink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A timer without a thread, whose tasks run on request, on the calling thread. */
public final class FakeTimer implements Timer {

  private record Task(Runnable action, long delayMillis) {}

  private final List<Task> tasks = new ArrayList<>();
  private long nanos;

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  /** Lets time pass without running tasks. */
  public synchronized void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public synchronized void after(Duration delay, Runnable task) {
    tasks.add(new Task(task, delay.toMillis()));
  }

  @Override
  public void parking(Runnable task) {
    task.run();
  }

  /** Returns the delay of each scheduled task, in ms. */
  public synchronized List<Long> delays() {
    return tasks.stream().map(Task::delayMillis).toList();
  }

  /** Runs everything that is scheduled now. */
  public void run() {
    List<Task> due;
    synchronized (this) {
      due = List.copyOf(tasks);
      tasks.clear();
    }
    due.forEach(task -> task.action().run());
  }
}
