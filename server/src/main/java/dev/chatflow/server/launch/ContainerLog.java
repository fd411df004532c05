package dev.chatflow.server.launch;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The container's log, reduced to what operators need: one line per warning.
 *
 * <p>Thread-safe. While the server starts nothing is printed, because the launcher reports a failed
 * start once: the first cause is kept for it.
 */
final class ContainerLog extends Handler {

  private static final int MAX_KEPT = 64;

  private final PrintStream out;
  private final Logger root = Logger.getLogger("");

  // Guarded by this
  private final List<LogRecord> kept = new ArrayList<>();
  private boolean starting = true;

  ContainerLog(PrintStream out) {
    this.out = out;
    setLevel(Level.WARNING);
  }

  /** Replaces all handlers of {@code java.util.logging}. */
  void install() {
    LogManager.getLogManager().reset();
    root.setLevel(Level.WARNING);
    root.addHandler(this);
  }

  /** Prints the kept records, and everything from now on. */
  synchronized void started() {
    starting = false;
    kept.forEach(this::print);
    kept.clear();
  }

  /** Returns why the start failed as far as the container knows: the root cause it logged first. */
  synchronized @Nullable String firstFailure() {
    return kept.stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .findFirst()
        .map(entry -> entry.getThrown() == null ? entry.getMessage() : reason(entry.getThrown()))
        .orElse(null);
  }

  @Override
  public synchronized void publish(LogRecord entry) {
    if (!isLoggable(entry)) {
      return;
    }
    if (!starting) {
      print(entry);
    } else if (kept.size() < MAX_KEPT) {
      kept.add(entry);
    }
  }

  private void print(LogRecord entry) {
    Throwable thrown = entry.getThrown();
    String message = entry.getMessage() + (thrown == null ? "" : ": " + reason(thrown));
    out.printf("%tT.%<tL %-5s tomcat: %s%n", entry.getMillis(), shortLevel(entry), message);
  }

  private static String shortLevel(LogRecord entry) {
    return entry.getLevel().intValue() >= Level.SEVERE.intValue() ? "ERROR" : "WARN";
  }

  /**
   * Returns the innermost message, which outer ones only repeat; for an error, which is meant for
   * programmers, with its type.
   */
  static String reason(Throwable thrown) {
    Throwable inner = thrown;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    String message = inner.getMessage();
    return inner instanceof Exception && message != null && message.contains(" ")
        ? message
        : inner.getClass().getSimpleName() + ": " + message;
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    root.removeHandler(this);
  }
}
