package dev.chatflow.room;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded executor of rounds: its writer threads send what was appended to rooms.
 *
 * <p>Thread-safe. A room waits for at most one round at a time. Rounds start in the order in which
 * they are due, so no room starves another. The number of waiting rooms is bounded: a reader thread
 * that appends to one more room waits until a round begins. Completions never wait.
 */
public final class FanOut implements AutoCloseable {

  private final FanOutConfig config;
  private final Scheduler scheduler;

  private final AtomicInteger roomsWaiting = new AtomicInteger();
  private final LongAdder rounds = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder deliveries = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder missedSignals = new LongAdder();
  private final WriterLoad load;

  // Reader threads that wait for capacity; incremented before they check again.
  private final AtomicInteger threadsWaiting = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition capacityFree = lock.newCondition();

  private volatile boolean closed;

  public FanOut(FanOutConfig config) {
    this(config, new WriterThreads(config.writers()));
  }

  FanOut(FanOutConfig config, Scheduler scheduler) {
    this.config = config;
    this.scheduler = scheduler;
    this.load = new WriterLoad(config.writers(), scheduler.nanoTime());
  }

  /** Starts the writer threads, {@code chat-writer-n}. */
  public void start() {
    scheduler.start();
  }

  /**
   * Ends the rounds; nothing is sent afterwards. Waits for running rounds, at most a few seconds.
   */
  @Override
  public void close() {
    closed = true;
    signalCapacity();
    scheduler.close();
  }

  /** Returns the number of rooms that have data to write and wait for a round. */
  public int roomsWaiting() {
    return roomsWaiting.get();
  }

  public long rounds() {
    return rounds.sum();
  }

  /** Returns the writes started; deliveries divided by writes is the number of frames per write. */
  public long writes() {
    return writes.sum();
  }

  /** Returns the frames handed to sinks, counted per member. */
  public long deliveries() {
    return deliveries.sum();
  }

  /** Returns the bytes handed to sinks, including frame headers. */
  public long bytesOut() {
    return bytesOut.sum();
  }

  /** Returns the signals that members were too slow to get, counted per member. */
  public long missedSignals() {
    return missedSignals.sum();
  }

  // --- for callers that wait for rounds

  /**
   * Returns the time of the clock that schedules rounds, in ns; only differences are meaningful.
   */
  public long nanoTime() {
    return scheduler.nanoTime();
  }

  /** Parks the calling thread for at most this long: until it is unparked or interrupted. */
  public void park(long nanos) {
    scheduler.park(nanos);
  }

  // --- for rounds

  long maxPaceNanos() {
    return config.maxPace().toNanos();
  }

  /** Reports that a round, or a slice of one, occupied a writer for this long. */
  void worked(long nanos) {
    load.worked(nanos, nanoTime());
  }

  double writerLoad() {
    return load.share();
  }

  void schedule(Runnable round, long delayNanos) {
    scheduler.schedule(round, delayNanos);
  }

  void roomWaits() {
    roomsWaiting.incrementAndGet();
  }

  void roomServed() {
    roomsWaiting.decrementAndGet();
    if (threadsWaiting.get() > 0) {
      signalCapacity();
    }
  }

  /**
   * Waits until the number of waiting rooms is below its bound; returns at once when closed or
   * interrupted.
   */
  void awaitCapacity() {
    if (isFull()) {
      lock.lock();
      try {
        awaitCapacityLocked();
      } finally {
        lock.unlock();
      }
    }
  }

  private void awaitCapacityLocked() {
    threadsWaiting.incrementAndGet();
    try {
      while (isFull()) {
        capacityFree.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threadsWaiting.decrementAndGet();
    }
  }

  private boolean isFull() {
    return roomsWaiting.get() >= config.capacityRooms() && !closed;
  }

  private void signalCapacity() {
    lock.lock();
    try {
      capacityFree.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Adds the counts of one finished round. */
  void count(int written, long frames, long bytes, long missed) {
    rounds.increment();
    writes.add(written);
    deliveries.add(frames);
    bytesOut.add(bytes);
    missedSignals.add(missed);
  }
}
