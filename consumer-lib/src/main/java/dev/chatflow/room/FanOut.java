package dev.chatflow.room;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded executor of rounds: what was appended to rooms leaves by its writer threads.
 *
 * <p>Any thread may call. A room waits for at most one round at a time, and rounds start in the
 * order in which they are due, so no room starves another. Bounded in rooms that wait: the consumer
 * thread that appends to one more waits until a round begins; completions never wait.
 */
public final class FanOut implements AutoCloseable {

  private final FanOutConfig config;
  private final Scheduler scheduler;

  private final AtomicInteger roomsWaiting = new AtomicInteger();
  private final LongAdder rounds = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder deliveries = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final WriterLoad load;

  // Consumer threads that wait for capacity; counted before they look again.
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
   * Ends the rounds; nothing leaves afterwards. Waits for those that run, a few seconds at most.
   */
  @Override
  public void close() {
    closed = true;
    signalCapacity();
    scheduler.close();
  }

  /** Rooms with something to write that wait for their round. */
  public int roomsWaiting() {
    return roomsWaiting.get();
  }

  public long rounds() {
    return rounds.sum();
  }

  /** Writes started; deliveries divided by writes is the number of frames a write carries. */
  public long writes() {
    return writes.sum();
  }

  /** Frames handed to sinks, each member's counted. */
  public long deliveries() {
    return deliveries.sum();
  }

  /** Bytes handed to sinks, frame headers included. */
  public long bytesOut() {
    return bytesOut.sum();
  }

  // --- for who waits for rounds

  /** The clock that rounds are due by, in nanoseconds; for differences only. */
  public long nanoTime() {
    return scheduler.nanoTime();
  }

  /** The calling thread waits this long, or less: until it is unparked or interrupted. */
  public void park(long nanos) {
    scheduler.park(nanos);
  }

  // --- for rounds

  long maxPaceNanos() {
    return config.maxPace().toNanos();
  }

  /** A round, or a slice of one, took a writer so long. */
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

  /** Waits until fewer rooms wait than may; returns at once when closed or interrupted. */
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

  /** One round is over. */
  void count(int written, long frames, long bytes) {
    rounds.increment();
    writes.add(written);
    deliveries.add(frames);
    bytesOut.add(bytes);
  }
}
