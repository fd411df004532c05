package dev.chatflow.client.observe;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The client's own process: CPU time, memory, collections. Any thread may ask. */
public final class OwnProcess {
  private OwnProcess() {}

  /** CPU time of all threads in nanoseconds; 0 when the platform does not tell. */
  public static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? Math.max(0, system.getProcessCpuTime())
        : 0;
  }

  /** Collection time so far, in milliseconds. */
  public static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(bean -> Math.max(0, bean.getCollectionTime()))
        .sum();
  }

  public static long heapUsedBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
