package dev.chatflow.server;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the changes since the last line at intervals; an idle server logs nothing.
 *
 * <p>Run by the timer's thread.
 */
final class StatusLog implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(StatusLog.class);

  private final Supplier<StatusLine.Snapshot> now;
  private final LongSupplier nanos;
  private final Consumer<String> lines;
  private StatusLine.Snapshot last;
  private long lastNanos;

  StatusLog(Supplier<StatusLine.Snapshot> now) {
    this(now, System::nanoTime, line -> log.info("{}", line));
  }

  StatusLog(Supplier<StatusLine.Snapshot> now, LongSupplier nanos, Consumer<String> lines) {
    this.now = now;
    this.nanos = nanos;
    this.lines = lines;
    this.last = now.get();
    this.lastNanos = nanos.getAsLong();
  }

  @Override
  public void run() {
    StatusLine.Snapshot next = now.get();
    long at = nanos.getAsLong();
    double seconds = Math.max(1, at - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    String line = StatusLine.between(last, next, seconds);
    last = next;
    lastNanos = at;
    if (line != null) {
      lines.accept(line);
    }
  }
}
