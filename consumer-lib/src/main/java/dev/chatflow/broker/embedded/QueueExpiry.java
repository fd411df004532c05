package dev.chatflow.broker.embedded;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.qpid.server.model.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes queues of the standalone consumer that nobody has read for a while.
 *
 * <p>Works on one daemon thread; {@link #close} by any.
 */
final class QueueExpiry implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(QueueExpiry.class);
  private static final Pattern EXPIRING = Pattern.compile("chat\\.audit\\..*");

  private final Supplier<? extends Collection<? extends Queue<?>>> queues;
  private final Duration expiry;
  private final ScheduledThreadPoolExecutor timer;

  // Touched by the timer's thread alone: queue name to the nanoTime of its first idle sight.
  private Map<String, Long> idleSince = new HashMap<>();

  QueueExpiry(Supplier<? extends Collection<? extends Queue<?>>> queues, Duration expiry) {
    this.queues = queues;
    this.expiry = expiry;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("chat-broker-housekeeping").daemon().factory());
  }

  void start(Duration period) {
    long millis = period.toMillis();
    var _ = timer.scheduleWithFixedDelay(this::sweep, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Nothing may escape: an exception would end all further sweeps. */
  private void sweep() {
    try {
      expire(System.nanoTime());
    } catch (RuntimeException e) {
      log.warn("housekeeping of the embedded broker failed, will be tried again", e);
    }
  }

  private void expire(long now) {
    Map<String, Long> idle = new HashMap<>();
    for (Queue<?> queue : queues.get()) {
      if (EXPIRING.matcher(queue.getName()).matches() && queue.getConsumerCount() == 0) {
        long since = idleSince.getOrDefault(queue.getName(), now);
        if (now - since >= expiry.toNanos()) {
          log.info("queue {} expired: nobody reads it", queue.getName());
          queue.deleteAndReturnCount();
        } else {
          idle.put(queue.getName(), since);
        }
      }
    }
    idleSince = idle;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
