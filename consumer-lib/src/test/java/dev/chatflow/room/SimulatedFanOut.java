package dev.chatflow.room;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A fan-out without threads, driven by an external clock. */
public final class SimulatedFanOut implements Scheduler {

  /** Runs a task after this many ns. */
  public interface Later {
    void after(long nanos, Runnable task);
  }

  private final LongSupplier nanos;
  private final Later later;

  private SimulatedFanOut(LongSupplier nanos, Later later) {
    this.nanos = nanos;
    this.later = later;
  }

  /** Creates one that uses this clock. */
  public static FanOut of(LongSupplier nanos, Later later) {
    FanOutConfig config = new FanOutConfig(1, 1024, Duration.ofMillis(25));
    return new FanOut(config, new SimulatedFanOut(nanos, later));
  }

  @Override
  public void start() {}

  @Override
  public void schedule(Runnable round, long delayNanos) {
    later.after(delayNanos, round);
  }

  @Override
  public long nanoTime() {
    return nanos.getAsLong();
  }

  @Override
  public void park(long parkedNanos) {
    throw new IllegalStateException("nobody may wait here");
  }

  @Override
  public void close() {}
}
