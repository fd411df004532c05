package dev.chatflow.client.observe;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.chatflow.client.CommandFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The limits of this machine for connections.
 *
 * @param descriptors open files of this process; {@link Long#MAX_VALUE} if unknown
 * @param localPorts ports for outgoing connections to one server address
 */
public record Limits(long descriptors, long localPorts) {
  private static final int OWN_DESCRIPTORS = 64;
  private static final long USUAL_PORTS = 28_232;

  public static Limits here() {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? system.getMaxFileDescriptorCount()
            : Long.MAX_VALUE;
    return new Limits(descriptors, ports());
  }

  /** Returns a line for the head of a report. */
  public String line(int connections) {
    return String.format(
        Locale.ROOT,
        "%,d of %,d file descriptors, %,d of %,d local ports per server address",
        connections + OWN_DESCRIPTORS,
        descriptors,
        connections,
        localPorts);
  }

  /**
   * Rejects more connections than this machine allows.
   *
   * @throws CommandFailure with the commands that raise the limit
   */
  public void require(int connections, int servers) {
    List<String> obstacles = new ArrayList<>();
    if (connections + OWN_DESCRIPTORS > descriptors) {
      obstacles.add("too few file descriptors: ulimit -n " + (connections + OWN_DESCRIPTORS));
    }
    if (connections > localPorts * servers) {
      obstacles.add(
          "too few local ports: sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\", or more"
              + " server addresses");
    }
    if (!obstacles.isEmpty()) {
      throw CommandFailure.usage(String.join("\n", obstacles));
    }
  }

  private static long ports() {
    // buffered, because a second read of such a file returns nothing
    try (BufferedReader file =
        Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
      String[] range = String.valueOf(file.readLine()).strip().split("\\s+", -1);
      return range.length < 2
          ? USUAL_PORTS
          : Long.parseLong(range[1]) - Long.parseLong(range[0]) + 1;
    } catch (IOException | NumberFormatException e) {
      return USUAL_PORTS; // not Linux
    }
  }
}
