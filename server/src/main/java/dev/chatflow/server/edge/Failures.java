package dev.chatflow.server.edge;

import dev.chatflow.support.RateLimitedLog;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of the failures a container reports of its connections: those of peers are of no
 * interest, a bug of ours must be seen, and must not flood the log.
 *
 * <p>Any thread.
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
      log.error("a connection failed by a bug; {} more since the last line", held, failure);
    }
  }

  /** Whatever a peer does, and a connection that ends, is an input or output error somewhere. */
  static boolean isOfAPeer(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
