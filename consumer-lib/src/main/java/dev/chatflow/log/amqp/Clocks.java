package dev.chatflow.log.amqp;

import dev.chatflow.support.RateLimitedLog;
import java.time.Duration;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this process's wall clock with those of the servers whose entries it reads, and warns if
 * one is more than {@value #TOLERATED_SECONDS} s ahead. This has no other effect: ordering and
 * rooms do not depend on wall clocks.
 *
 * <p>A message from this clock's future proves that the sender's clock is ahead, however long the
 * message took; a message from the past proves nothing. So the process with the clock that is
 * behind warns: all others warn of a clock that is a day ahead, and a clock that is a day behind
 * warns of all others.
 *
 * <p>Thread-safe.
 */
public final class Clocks {

  static final int TOLERATED_SECONDS = 5;

  private static final Duration WARNING_INTERVAL = Duration.ofMinutes(10);
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final Logger log = LoggerFactory.getLogger(Clocks.class);

  private final LongSupplier wallMillis;
  private final LongSupplier nanos;
  private final RateLimitedLog warnings;

  // Guarded by this: the maximum of this minute and of the previous one.
  private long sinceNanos;
  private long most;
  private long mostBefore;

  /**
   * Starts without observations.
   *
   * @param wallMillis this process's wall clock
   * @param nanos a monotonic clock
   */
  Clocks(LongSupplier wallMillis, LongSupplier nanos) {
    this.wallMillis = wallMillis;
    this.nanos = nanos;
    this.sinceNanos = nanos.getAsLong();
    this.warnings = new RateLimitedLog(WARNING_INTERVAL, sinceNanos);
  }

  /** Reports that a server sent a message at this time of its own clock. */
  @SuppressWarnings("JavaUtilDate") // the client library's type
  void sent(String server, @Nullable Date at) {
    long ahead = at == null ? 0 : at.getTime() - wallMillis.getAsLong();
    if (ahead <= 0) {
      return;
    }
    long now = nanos.getAsLong();
    note(ahead, now);
    if (ahead > TimeUnit.SECONDS.toMillis(TOLERATED_SECONDS)
        && warnings.take(now) != RateLimitedLog.NOT_NOW) {
      log.warn(
          "the wall clock of {} is {} s ahead of this one: one of them is wrong. Order does not"
              + " depend on it, but displayed times and the expiry of tokens do",
          server,
          TimeUnit.MILLISECONDS.toSeconds(ahead));
    }
  }

  private synchronized void note(long ahead, long now) {
    turn(now);
    most = Math.max(most, ahead);
  }

  private void turn(long now) {
    long minutes = (now - sinceNanos) / REMEMBERED_NANOS;
    if (minutes > 0) {
      mostBefore = minutes == 1 ? most : 0;
      most = 0;
      sinceNanos += minutes * REMEMBERED_NANOS;
    }
  }

  /**
   * Returns the maximum number of seconds by which another clock was ahead of this one in the last
   * minute or two.
   */
  public synchronized double behindSeconds() {
    turn(nanos.getAsLong());
    return Math.max(most, mostBefore) / 1_000.0;
  }
}
