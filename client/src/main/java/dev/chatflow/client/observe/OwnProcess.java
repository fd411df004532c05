package dev.chatflow.client.observe;

import com.sun.management.OperatingSystemMXBean;
import dev.chatflow.client.record.CpuUse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The client's own process: CPU time, memory, collections. Any thread may ask. */
public final class OwnProcess {
  private static final Path THREAD_TIMES = Path.of("/proc/thread-self/schedstat");

  private OwnProcess() {}

  /** CPU time of all threads in nanoseconds; 0 when the platform does not tell. */
  public static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? Math.max(0, system.getProcessCpuTime())
        : 0;
  }

  /** CPU times of the calling thread and of this process; some microseconds of work. */
  public static CpuUse cpuUse() {
    long queued = 0;
    long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      String[] times = Files.readString(THREAD_TIMES).strip().split(" ", -1);
      used = Long.parseLong(times[0]);
      queued = Long.parseLong(times[1]);
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      queued = 0; // not Linux, or a kernel that does not tell
    }
    long collection = TimeUnit.MILLISECONDS.toNanos(collectionMillis());
    return new CpuUse(cpuNanos(), collection, used, queued);
  }

  /** Collection time so far, in milliseconds. */
  static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(bean -> Math.max(0, bean.getCollectionTime()))
        .sum();
  }

  static long heapUsedBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
