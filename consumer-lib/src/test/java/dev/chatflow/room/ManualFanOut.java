package dev.chatflow.room;

import java.time.Duration;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A fan-out without threads and without a clock: rounds run and time passes on request, on the
 * calling thread.
 *
 * <p>Any thread schedules; one test thread runs.
 */
public final class ManualFanOut implements Scheduler {

  private record Task(Runnable round, long dueNanos, long number) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      return dueNanos == other.dueNanos
          ? Long.compare(number, other.number)
          : Long.compare(dueNanos, other.dueNanos);
    }
  }

  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private final FanOut fanOut;
  private long nanos;
  private long scheduled;
  private Runnable whileParked = () -> {};

  public ManualFanOut() {
    this(new FanOutConfig(1, 1024, Duration.ofMillis(25)));
  }

  public ManualFanOut(FanOutConfig config) {
    fanOut = new FanOut(config, this);
  }

  public FanOut fanOut() {
    return fanOut;
  }

  /** Runs one round that is due; false if there is none. */
  public boolean runOne() {
    Task next = takeDue();
    if (next != null) {
      next.round().run();
    }
    return next != null;
  }

  private synchronized @Nullable Task takeDue() {
    Task next = tasks.peek();
    return next == null || next.dueNanos() > nanos ? null : tasks.poll();
  }

  /** Runs every round that is due. */
  public void runDue() {
    boolean ran;
    do {
      ran = runOne();
    } while (ran);
  }

  /** Lets time pass and runs every round, until none is scheduled. */
  public void runAll() {
    while (isScheduled()) {
      advanceToNext();
      runDue();
    }
  }

  private synchronized void advanceToNext() {
    nanos = Math.max(nanos, tasks.element().dueNanos());
  }

  public synchronized boolean isScheduled() {
    return !tasks.isEmpty();
  }

  /** Returns the number of scheduled rounds. */
  public synchronized int size() {
    return tasks.size();
  }

  /** Lets time pass without running anything. */
  public synchronized void advance(Duration time) {
    nanos += time.toNanos();
  }

  /** Returns the time until the next round is due. */
  public synchronized long nextDelayNanos() {
    return tasks.element().dueNanos() - nanos;
  }

  @Override
  public void start() {}

  @Override
  public synchronized void schedule(Runnable round, long delayNanos) {
    tasks.add(new Task(round, nanos + delayNanos, scheduled++));
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  /** Sets the work of others while a thread waits: it runs on the thread that parks, each time. */
  public void whileParked(Runnable work) {
    whileParked = work;
  }

  /** Lets that time pass at once. */
  @Override
  public void park(long parkedNanos) {
    advance(Duration.ofNanos(parkedNanos));
    whileParked.run();
  }

  @Override
  public synchronized void close() {
    tasks.clear();
  }
}
