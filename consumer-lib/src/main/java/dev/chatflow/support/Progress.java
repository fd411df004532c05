package dev.chatflow.support;

import java.time.Duration;

/** Detects that work has been waiting for 8 s without any progress. Thread-safe. */
public final class Progress {

  /** Below the 10 s within which {@code /health} must show it: work is checked every second. */
  public static final Duration PATIENCE = Duration.ofSeconds(8);

  // Guarded by this.
  private boolean waited;
  private long lastDone;
  private long sinceNanos;

  /**
   * Checks again; more than one check per second has no benefit.
   *
   * @param waits whether work waits now
   * @param done total amount of work done
   * @return whether work has waited for 8 s while none was done
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
