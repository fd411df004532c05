package dev.chatflow.identity;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a file or an address, read again from time to time. If it cannot be read or used,
 * the last valid content stays effective, and one log line reports it.
 *
 * <p>One thread runs it, any thread may read it.
 *
 * @param <T> type made from the content
 */
final class ReloadedContent<T> implements Supplier<T>, Runnable {

  private static final Logger log = LoggerFactory.getLogger(ReloadedContent.class);

  /** Reads the whole content, within a bound. */
  @FunctionalInterface
  interface Content {
    byte[] read() throws IOException;
  }

  private final String name;
  private final Content content;
  private final Function<byte[], T> make;
  private final Runnable failed;

  // Used only by the running thread.
  private byte[] last;
  private String lastProblem = "";

  private volatile T value;

  /**
   * Reads it for the first time.
   *
   * @param name for the log and for errors
   * @param make throws IllegalArgumentException, whose message contains none of the content
   * @param failed called for each later reading that failed
   * @throws IOException if it cannot be read or used; the message names it
   */
  ReloadedContent(String name, Content content, Function<byte[], T> make, Runnable failed)
      throws IOException {
    this.name = name;
    this.content = content;
    this.make = make;
    this.failed = failed;
    try {
      this.last = content.read();
      this.value = make.apply(last);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(name + ": " + problem(e), e);
    }
  }

  private static String problem(Exception e) {
    return switch (e) {
      case NoSuchFileException _ -> "the file does not exist";
      case AccessDeniedException _ -> "this process has no permission to read it";
      case IOException _ -> "cannot be read: " + e.getMessage();
      case IllegalArgumentException _ -> String.valueOf(e.getMessage());
      default -> "cannot be used: " + e.getClass().getSimpleName();
    };
  }

  @Override
  public T get() {
    return value;
  }

  /** Reads it again. */
  @Override
  public void run() {
    try {
      byte[] now = content.read();
      if (!Arrays.equals(now, last)) {
        value = make.apply(now);
        last = now;
        log.info("{} has changed and is now effective", name);
      }
      lastProblem = "";
    } catch (IOException | RuntimeException e) { // after any failure the next reading follows
      failed.run();
      String problem = problem(e);
      if (!problem.equals(lastProblem)) {
        log.warn("{}: {}; its previous content stays effective", name, problem);
      }
      lastProblem = problem;
    }
  }
}
