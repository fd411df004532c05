package dev.chatflow.server.edge;

import dev.chatflow.support.RateLimitedLog;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles failures that the container reports for its connections: those caused by peers are
 * ignored, defects of the server are logged at a limited rate.
 *
 * <p>Thread-safe.
 */
final class Failures {

  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  private final RateLimitedLog lines =
      new RateLimitedLog(Duration.ofSeconds(10), System.nanoTime());

  void report(Throwable failure) {
    if (isOfAPeer(failure)) {
      log.debug("connection failed", failure);
      return;
    }
    long held = lines.take(System.nanoTime());
    if (held != RateLimitedLog.NOT_NOW) {
      log.error(
          "a connection failed because of a defect; {} more since the last line", held, failure);
    }
  }

  /**
   * Returns whether it is caused by a peer or the end of a connection, which always is an I/O error
   * somewhere.
   */
  static boolean isOfAPeer(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
