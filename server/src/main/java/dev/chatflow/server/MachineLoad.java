package dev.chatflow.server;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How busy this machine is; in a container with a CPU limit, how much of the limit is in use. */
final class MachineLoad {

  private MachineLoad() {}

  /** Returns the share of the CPU in use since the last call, 0 to 1; 0 if unknown. */
  static double now() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? Math.max(0, system.getCpuLoad())
        : 0;
  }
}
