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
 * Compares this process's wall clock with those of the servers whose entries it reads, and warns
 * when one is more than {@value #TOLERATED_SECONDS} s ahead. Nothing else comes of it: order and
 * rooms ask no wall clock.
 *
 * <p>What was sent in this clock's future was sent by a clock that is ahead of it, however long it
 * took; nothing follows from what was sent in its past. So the one that is behind tells: one that
 * is a day ahead is told of by all others, one that is a day behind tells of all others.
 *
 * <p>Any thread.
 */
public final class Clocks {

  static final int TOLERATED_SECONDS = 5;

  private static final Duration WARNING_INTERVAL = Duration.ofMinutes(10);
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final Logger log = LoggerFactory.getLogger(Clocks.class);

  private final LongSupplier wallMillis;
  private final LongSupplier nanos;
  private final RateLimitedLog warnings;

  // Guarded by this: the most of this minute, and of the one before.
  private long sinceNanos;
  private long most;
  private long mostBefore;

  /**
   * Makes one that has read nothing.
   *
   * @param wallMillis this process's wall clock
   * @param nanos a clock that only moves forward
   */
  Clocks(LongSupplier wallMillis, LongSupplier nanos) {
    this.wallMillis = wallMillis;
    this.nanos = nanos;
    this.sinceNanos = nanos.getAsLong();
    this.warnings = new RateLimitedLog(WARNING_INTERVAL, sinceNanos);
  }

  /** A server sent something at this time of its own clock. */
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
          "the wall clock of {} is {} s ahead of this one: one of the two is wrong; order does not"
              + " depend on it, times that are shown and the ends of tokens do",
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
   * By how many seconds another clock was ahead of this one, at most, in the last minute or two.
   */
  public synchronized double behindSeconds() {
    turn(nanos.getAsLong());
    return Math.max(most, mostBefore) / 1_000.0;
  }
}
