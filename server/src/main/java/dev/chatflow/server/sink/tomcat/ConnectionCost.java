package dev.chatflow.server.sink.tomcat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The buffers of each connection as configured in the container, from which the heap of an idle
 * connection follows.
 *
 * @param readBytes read buffer of the connector; the maximum of all connectors
 * @param writeBytes write buffer of the connector; the maximum of all connectors
 * @param tls whether any connector uses TLS, which needs further buffers per connection
 * @param frameBytes one of the {@value #FRAME_BUFFERS} frame buffers, of which {@link TextBuffers}
 *     leaves one if the direct sink writes
 */
record ConnectionCost(int readBytes, int writeBytes, boolean tls, int frameBytes) {

  static final int FRAME_BUFFERS = 3;

  private static final String FRAME_BUFFER = "org.apache.tomcat.websocket.DEFAULT_BUFFER_SIZE";
  private static final int TOMCATS_DEFAULT = 8_192;

  /** The launcher's setting: a message has about 200 bytes. */
  private static final int ENOUGH = 512;

  /** Everything except the buffers; measured, see docs/lab/performance.md. */
  private static final int FIXED_BYTES = 8_192;

  /** The most expensive case, assumed if the settings of the container are unknown. */
  static final ConnectionCost UNKNOWN =
      new ConnectionCost(TOMCATS_DEFAULT, TOMCATS_DEFAULT, true, TOMCATS_DEFAULT);

  /** Additional bytes with TLS: an engine and four buffers of a whole record; measured. */
  private static final int TLS_BYTES = 81_920;

  private static final int KIB = 1_024;

  /**
   * Reads the effective settings.
   *
   * @param domain the container's name in JMX, such as {@code Catalina}
   */
  static ConnectionCost of(String domain) throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    int read = 0;
    int write = 0;
    ObjectName connectors = new ObjectName(domain + ":type=SocketProperties,*");
    for (ObjectName name : beans.queryNames(connectors, null)) {
      read = Math.max(read, (Integer) beans.getAttribute(name, "appReadBufSize"));
      write = Math.max(write, (Integer) beans.getAttribute(name, "appWriteBufSize"));
    }
    boolean tls = Connectors.of(domain).stream().anyMatch(Connectors.Connector::tls);
    return new ConnectionCost(read, write, tls, Integer.getInteger(FRAME_BUFFER, TOMCATS_DEFAULT));
  }

  /**
   * Returns the heap bytes of an idle connection.
   *
   * @param portable whether the portable sink writes, or may have to
   */
  int bytes(boolean portable) {
    int buffers = readBytes + writeBytes + (portable ? FRAME_BUFFERS : 1) * frameBytes;
    return FIXED_BYTES + buffers + (tls ? TLS_BYTES : 0);
  }

  /**
   * Returns the settings that reduce the cost of connections, in one line; empty if they gain
   * little.
   *
   * @param portable whether the portable sink gathers frames in its buffers, which must hold a text
   */
  Optional<String> advice(boolean portable) {
    List<String> settings = new ArrayList<>();
    int frames = portable ? frameBytes : Math.min(frameBytes, ENOUGH);
    ConnectionCost lean =
        new ConnectionCost(Math.min(readBytes, ENOUGH), Math.min(writeBytes, ENOUGH), tls, frames);
    if (readBytes > lean.readBytes) {
      settings.add("socket.appReadBufSize=\"" + ENOUGH + "\" at the connector");
    }
    if (writeBytes > lean.writeBytes) {
      settings.add("socket.appWriteBufSize=\"" + ENOUGH + "\" at the connector");
    }
    if (frameBytes > lean.frameBytes) {
      settings.add("-D" + FRAME_BUFFER + "=" + ENOUGH + " for the JVM");
    }
    return bytes(portable) - lean.bytes(portable) < KIB
        ? Optional.empty()
        : Optional.of(
            "an idle connection costs about %d KiB of heap, and %d KiB with %s"
                .formatted(
                    bytes(portable) / KIB,
                    lean.bytes(portable) / KIB,
                    String.join(", ", settings)));
  }
}
