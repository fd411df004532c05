package dev.chatflow.server.sink.tomcat;

import dev.chatflow.support.CertificateWatch;
import jakarta.servlet.ServletContext;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Reloads the certificates of an application's container through JMX. */
public final class ContainerCertificates {

  private ContainerCertificates() {}

  /** Watches their files, whose content is effective now. */
  public static CertificateWatch watch(List<Path> files, ServletContext context) {
    String domain = context.getVirtualServerName().split("/", 2)[0];
    return new CertificateWatch(files, () -> reload(domain));
  }

  private static void reload(String domain) throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName handlers = new ObjectName(domain + ":type=ProtocolHandler,*");
    for (ObjectName name : beans.queryNames(handlers, null)) {
      if (Boolean.TRUE.equals(beans.getAttribute(name, "sSLEnabled"))) {
        beans.invoke(name, "reloadSslHostConfigs", null, null);
      }
    }
  }
}
