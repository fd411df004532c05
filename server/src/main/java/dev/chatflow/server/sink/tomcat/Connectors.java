package dev.chatflow.server.sink.tomcat;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP connectors of the containers in this process, from JMX: an application has no other way
 * to find its ports. Stateless.
 */
final class Connectors {

  /**
   * One connector.
   *
   * @param address the address for connections from this machine
   * @param port the port it listens on, also if a free one was requested
   * @param tls whether it uses TLS
   * @param started whether it accepts connections; false while its container starts
   */
  record Connector(InetAddress address, int port, boolean tls, boolean started) {
    @Override
    public String toString() {
      return address.getHostAddress() + ":" + port + (tls ? " (TLS)" : "");
    }
  }

  private static final String STARTED = "STARTED";

  private Connectors() {}

  /**
   * Lists a container's connectors that are started or starting.
   *
   * @param domain the container's name in JMX, such as {@code Catalina}
   */
  static List<Connector> of(String domain) throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    List<Connector> found = new ArrayList<>();
    for (ObjectName name : beans.queryNames(new ObjectName(domain + ":type=Connector,*"), null)) {
      if (String.valueOf(beans.getAttribute(name, "protocolHandlerClassName")).contains("http11")) {
        found.add(connector(beans, name));
      }
    }
    return found;
  }

  private static Connector connector(MBeanServer beans, ObjectName name) throws JMException {
    ObjectName handler =
        new ObjectName(name.getCanonicalName().replace("type=Connector", "type=ProtocolHandler"));
    return new Connector(
        reachable(beans.getAttribute(name, "address")),
        (Integer) beans.getAttribute(name, "localPort"),
        Boolean.TRUE.equals(beans.getAttribute(handler, "sSLEnabled")),
        STARTED.equals(beans.getAttribute(name, "stateName")));
  }

  private static InetAddress reachable(@Nullable Object bound) {
    return bound instanceof InetAddress address && !address.isAnyLocalAddress()
        ? address
        : InetAddress.getLoopbackAddress();
  }
}
