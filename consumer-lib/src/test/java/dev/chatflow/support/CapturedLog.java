package dev.chatflow.support;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures the log lines of a class for its test without printing them. Thread-safe. */
public final class CapturedLog implements AutoCloseable {

  private final Logger log;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  private CapturedLog(Logger log) {
    this.log = log;
  }

  public static CapturedLog of(Class<?> type) {
    CapturedLog captured = new CapturedLog((Logger) LoggerFactory.getLogger(type));
    captured.events.start();
    captured.log.addAppender(captured.events);
    captured.log.setAdditive(false);
    return captured;
  }

  /**
   * Returns each line as level and message, {@code ERROR the disk is full}, with the exception's
   * message.
   */
  public List<String> lines() {
    return List.copyOf(events.list).stream().map(CapturedLog::line).toList();
  }

  private static String line(ILoggingEvent event) {
    String thrown =
        event.getThrowableProxy() == null ? "" : ": " + event.getThrowableProxy().getMessage();
    return event.getLevel() + " " + event.getFormattedMessage() + thrown;
  }

  @Override
  public void close() {
    log.setAdditive(true);
    log.detachAppender(events);
  }
}
