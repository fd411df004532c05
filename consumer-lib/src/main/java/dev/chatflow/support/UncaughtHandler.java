package dev.chatflow.support;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles throwables that no code caught in a thread of ChatFlow. An {@link Error}, such as
 * exhausted direct memory, ends the process with status 3, as the JVM does for its heap: no other
 * thread would do that thread's work, and a supervisor restarts the process. Any other throwable
 * goes to the process's default handler or the log. Thread-safe.
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

  /** Ends the process, even if there is not enough memory for a log line. */
  private static void end(Thread thread, Throwable why) {
    try {
      log.error("terminating due to an error in thread {}", thread.getName(), why);
    } finally {
      Runtime.getRuntime().halt(STATUS);
    }
  }
}
