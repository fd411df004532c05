package dev.chatflow.support;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a throwable that nobody caught in a thread of ours. An {@link Error}, such as
 * direct memory that is exhausted, ends the process with status 3, as the JVM does by itself for
 * its heap: nobody else would do that thread's work, and whoever watches the process starts
 * another. Anything else goes where the process sends such things, or to the log. Any thread.
 */
public final class UncaughtHandler implements Thread.UncaughtExceptionHandler {

  /** As {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int STATUS = 3;

  private static final Logger log = LoggerFactory.getLogger(UncaughtHandler.class);

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    if (thrown instanceof Error) {
      end(thread, thrown);
    }
    Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    if (usual == null || usual instanceof UncaughtHandler) {
      log.error("uncaught in thread {}", thread.getName(), thrown);
    } else {
      usual.uncaughtException(thread, thrown);
    }
  }

  /** Whether there is memory to tell of it or not. */
  private static void end(Thread thread, Throwable why) {
    try {
      log.error("terminating due to an error in thread {}", thread.getName(), why);
    } finally {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
