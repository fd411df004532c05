package dev.chatflow.support;

import java.time.Duration;

/** Notices that work waits and that none of it has been done for 8 s. Any thread. */
public final class Progress {

  /** Below the 10 s within which {@code /health} must show it: work is looked at every second. */
  public static final Duration PATIENCE = Duration.ofSeconds(8);

  // Guarded by this.
  private boolean waited;
  private long lastDone;
  private long sinceNanos;

  /**
   * Looks once more; more than one look a second brings nothing.
   *
   * @param waits whether work waits now
   * @param done how much work has been done in all
   * @return whether work has waited for 8 s while nothing was done
   */
  public synchronized boolean stalls(boolean waits, long done, long nowNanos) {
    if (!waits || !waited || done != lastDone) {
      sinceNanos = nowNanos;
    }
    waited = waits;
    lastDone = done;
    return waits && nowNanos - sinceNanos >= PATIENCE.toNanos();
  }
}
