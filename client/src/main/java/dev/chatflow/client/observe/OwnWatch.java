package dev.chatflow.client.observe;

import dev.chatflow.client.record.Samples;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/**
 * Observes the client's process: CPU, heap, collections, and the maximum delay of a timer. Belongs
 * to one thread.
 */
final class OwnWatch {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final DoubleSupplier seconds;
  private final Samples samples =
      new Samples("cpuPercent", "heapMegabytes", "gcMillis", "hiccupMillis");
  private long cpuNanos = OwnProcess.cpuNanos();
  private long collectionMillis = OwnProcess.collectionMillis();

  OwnWatch(DoubleSupplier seconds) {
    this.seconds = seconds;
  }

  /** Observes one period and adds its row. */
  void watch(long periodNanos) {
    long start = System.nanoTime();
    long worst = 0;
    long now = start;
    while (now - start < periodNanos && !Thread.currentThread().isInterrupted()) {
      long before = now;
      LockSupport.parkNanos(TICK_NANOS);
      now = System.nanoTime();
      worst = Math.max(worst, now - before - TICK_NANOS);
    }
    long cpu = OwnProcess.cpuNanos();
    long collected = OwnProcess.collectionMillis();
    samples.add(
        seconds.getAsDouble(),
        (cpu - cpuNanos) * 100.0 / Math.max(1, now - start),
        OwnProcess.heapUsedBytes() / 1048576.0,
        (double) collected - collectionMillis,
        worst / 1e6);
    cpuNanos = cpu;
    collectionMillis = collected;
  }

  Samples samples() {
    return samples;
  }
}
