package dev.chatflow.server.edge.tomcat;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the container read certificate and key again when their files change: newcomers see the new
 * ones, connections that are open stay. A pair that cannot be used leaves the last good one in
 * force.
 *
 * <p>Run by the server's timer, every {@link #PERIOD}. Who writes one file after the other has that
 * long for it.
 */
public final class CertificateWatch implements Runnable {

  public static final Duration PERIOD = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);
  private static final FileTime GONE = FileTime.fromMillis(0);

  /** Reads certificates again. */
  @FunctionalInterface
  interface Reload {
    void now() throws JMException;
  }

  private final List<Path> files;
  private final Reload reload;

  // Used by the timer's thread only.
  private List<FileTime> seen;
  private List<FileTime> inForce;

  /** Watches the files of an application's container, as they are now in force. */
  public CertificateWatch(List<Path> files, ServletContext context) {
    this(files, () -> reload(context.getVirtualServerName().split("/", 2)[0]));
  }

  CertificateWatch(List<Path> files, Reload reload) {
    this.files = List.copyOf(files);
    this.reload = reload;
    this.seen = times();
    this.inForce = seen;
  }

  @Override
  public void run() {
    List<FileTime> now = times();
    boolean still = now.equals(seen);
    seen = now;
    if (still && !now.equals(inForce) && !now.contains(GONE)) {
      inForce = now;
      read();
    }
  }

  private void read() {
    try {
      reload.now();
      log.info("certificate read again: {}", files);
    } catch (JMException | JMRuntimeException e) { // the container's own wrap what is thrown
      log.error("the new certificate cannot be used, the last one stays: {}", reason(e));
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? String.valueOf(failure.getMessage()) : reason(cause);
  }

  private List<FileTime> times() {
    List<FileTime> times = new ArrayList<>();
    for (Path file : files) {
      try {
        times.add(Files.getLastModifiedTime(file));
      } catch (IOException _) {
        times.add(GONE);
      }
    }
    return times;
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
