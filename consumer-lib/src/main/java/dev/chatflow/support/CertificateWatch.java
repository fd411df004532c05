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
 * Reloads certificate and key when their files change: new connections get the new pair, open ones
 * are unaffected. If the new pair is invalid, the last valid one stays effective.
 *
 * <p>Run by one thread, every {@link #PERIOD}. Two files that are written one after the other must
 * be complete within that time.
 */
public final class CertificateWatch implements Runnable {

  public static final Duration PERIOD = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);
  private static final FileTime GONE = FileTime.fromMillis(0);

  /** Reloads certificates. */
  @FunctionalInterface
  public interface Reload {

    /** Reads the present content of the files; if it throws, the previous pair stays. */
    void now() throws Exception; // any exception of a container
  }

  private final List<Path> files;
  private final Reload reload;

  // Used only by the one thread.
  private List<FileTime> seen;
  private List<FileTime> inForce;

  /** Watches files whose content is effective now. */
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
      log.info("certificate reloaded: {}", files);
    } catch (Exception e) { // the files will change again, so the watch must continue
      log.error(
          "the new certificate cannot be used, the previous one stays effective: {}", reason(e));
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
