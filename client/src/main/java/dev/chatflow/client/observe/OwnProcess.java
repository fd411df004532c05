package dev.chatflow.client.observe;

import com.sun.management.OperatingSystemMXBean;
import dev.chatflow.client.record.CpuUse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Reads CPU time, memory and collections of the client's process. Any thread. */
public final class OwnProcess {
  private static final Path THREAD_TIMES = Path.of("/proc/thread-self/schedstat");

  private OwnProcess() {}

  /** Returns the CPU time of all threads in nanoseconds; 0 if unknown. */
  public static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? Math.max(0, system.getProcessCpuTime())
        : 0;
  }

  /** Returns the CPU times of the calling thread and of this process. Takes a few microseconds. */
  public static CpuUse cpuUse() {
    long queued = 0;
    long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      String[] times = Files.readString(THREAD_TIMES).strip().split(" ", -1);
      used = Long.parseLong(times[0]);
      queued = Long.parseLong(times[1]);
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      queued = 0; // not Linux, or not reported by the kernel
    }
    long collection = TimeUnit.MILLISECONDS.toNanos(collectionMillis());
    return new CpuUse(cpuNanos(), collection, used, queued);
  }

  /** Returns the collection time so far, in milliseconds. */
  static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(bean -> Math.max(0, bean.getCollectionTime()))
        .sum();
  }

  static long heapUsedBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
