package dev.chatflow.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has certificate and key read again when their files change: newcomers see the new ones,
 * connections that are open stay. A pair that cannot be used leaves the last good one in force.
 *
 * <p>Run by one thread, every {@link #PERIOD}. Who writes one file after the other has that long
 * for it.
 */
public final class CertificateWatch implements Runnable {

  public static final Duration PERIOD = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);
  private static final FileTime GONE = FileTime.fromMillis(0);

  /** Reads certificates again. */
  @FunctionalInterface
  public interface Reload {

    /** Takes what the files hold now, or throws and leaves what was. */
    void now() throws Exception; // whatever a container throws
  }

  private final List<Path> files;
  private final Reload reload;

  // Used by the one thread only.
  private List<FileTime> seen;
  private List<FileTime> inForce;

  /** Watches files, as they are now in force. */
  public CertificateWatch(List<Path> files, Reload reload) {
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
    } catch (Exception e) { // the files change again, and the watch must go on
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
}
