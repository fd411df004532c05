package dev.chatflow.time;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a throwable that nobody caught in a thread of ours. An {@link Error}, such as
 * direct memory that is exhausted, ends the process with status 3, as the JVM does by itself for
 * its heap: nobody else would do that thread's work, and whoever watches the process starts
 * another. Anything else is logged. Any thread.
 */
public final class LastResort implements Thread.UncaughtExceptionHandler {

  /** As {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int STATUS = 3;

  private static final Logger log = LoggerFactory.getLogger(LastResort.class);

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    try {
      log.error("uncaught in thread {}", thread.getName(), thrown);
      if (thrown instanceof Error) {
        log.error("terminating due to {}", thrown.toString());
      }
    } finally {
      if (thrown instanceof Error) {
        Runtime.getRuntime().halt(STATUS);
      }
    }
  }
}
