package dev.chatflow.server.publish;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the JOINs of one lane their server timestamps, so that of two JOINs of one user the later
 * wins, whatever the servers' clocks say.
 *
 * <p>The lane's thread alone uses it. A stamp is above that of each JOIN seen in the shard and
 * above the lane's own last, but at most {@value #MAX_LEAD_MILLIS} ms ahead of the clock: a server
 * whose clock is wrong by more must not drag all others along.
 */
final class JoinClock {

  static final long MAX_LEAD_MILLIS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(JoinClock.class);

  private final LongSupplier clockMillis;

  private long lastMillis;
  private boolean capped;

  JoinClock(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  /**
   * The stamp of the next JOIN.
   *
   * @param newestSeenMillis the greatest stamp of a JOIN seen in the shard, from any server
   */
  long stamp(long newestSeenMillis) {
    long clock = clockMillis.getAsLong();
    long wanted = Math.max(clock, Math.max(newestSeenMillis, lastMillis) + 1);
    cap(wanted - clock);
    return Math.min(wanted, clock + MAX_LEAD_MILLIS);
  }

  /** The stamp was used. */
  void used(long millis) {
    lastMillis = Math.max(lastMillis, millis);
  }

  /** One log line when it begins, not for each JOIN. */
  private void cap(long leadMillis) {
    boolean over = leadMillis > MAX_LEAD_MILLIS;
    if (over && !capped) {
      log.warn(
          "a JOIN of this shard is stamped {} ms ahead of this server's clock, more than {} ms:"
              + " check the clocks of all servers",
          leadMillis,
          MAX_LEAD_MILLIS);
    }
    capped = over;
  }
}
