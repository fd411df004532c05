package dev.chatflow.client.observe;

import com.sun.management.OperatingSystemMXBean;
import dev.chatflow.client.record.MachineCpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Describes the machine of the client. Immutable. */
public record Machine(int cores, String processor, String memory, String system, String java) {

  /** The kernel reports hundredths of a second, regardless of its own clock. */
  private static final long NANOS_PER_TICK = 10_000_000;

  public static Machine here() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        readProcessor(),
        readMemory(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        "JDK %s.%s.%s (%s %dm)"
            .formatted(
                Runtime.version().feature(),
                Runtime.version().interim(),
                Runtime.version().update(),
                collector(),
                Runtime.getRuntime().maxMemory() >> 20));
  }

  /** Returns the CPU time of the machine so far. Any thread. */
  public static MachineCpu cpu() {
    try (BufferedReader file = Files.newBufferedReader(Path.of("/proc/stat"))) {
      String[] ticks = String.valueOf(file.readLine()).split(" +", -1);
      long busy =
          ticks(ticks, 1) + ticks(ticks, 2) + ticks(ticks, 3) + ticks(ticks, 6) + ticks(ticks, 7);
      return new MachineCpu(busy, ticks(ticks, 4) + ticks(ticks, 5), ticks(ticks, 8));
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return MachineCpu.UNKNOWN; // not Linux
    }
  }

  private static long ticks(String[] ticks, int column) {
    return Long.parseLong(ticks[column]) * NANOS_PER_TICK;
  }

  /** Returns a line for the head of a report. */
  public String line() {
    return cores + " x " + processor + ", " + memory + ", " + system + ", " + java;
  }

  private static String readProcessor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // not Linux
    }
  }

  private static String readMemory() {
    long bytes =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return String.format(Locale.ROOT, "%.0f GiB", bytes / 1073741824.0);
  }

  private static String collector() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(bean -> bean.getName().split(" ", -1)[0])
        .findFirst()
        .orElse("no GC");
  }
}
