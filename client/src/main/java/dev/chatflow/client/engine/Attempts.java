package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Connecting;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and when something is tried again: as often as the plan allows, after its growing
 * pause. Times are nanoseconds of the run's clock.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Attempts {
  private static final long NEVER = Long.MAX_VALUE;

  private final LoadContext context;
  private int failures;
  private long dueNanos = NEVER;

  Attempts(LoadContext context) {
    this.context = context;
  }

  /**
   * Plans another attempt after a failure; false when there were enough, or the run is stopped.
   *
   * @param wishNanos the least pause that the other side asked for
   */
  boolean plan(long wishNanos, long now) {
    Connecting connecting = context.plan.connecting();
    if (failures++ >= connecting.retries() || context.gate.isStopped()) {
      return false;
    }
    double jitter = ThreadLocalRandom.current().nextDouble();
    dueNanos = now + Math.max(wishNanos, connecting.backoffNanos(failures, jitter));
    return true;
  }

  /** Plans another attempt that counts as no failure. */
  void postpone(long untilNanos) {
    dueNanos = untilNanos;
  }

  boolean isPlanned() {
    return dueNanos != NEVER;
  }

  boolean isDue(long now) {
    return isPlanned() && now >= dueNanos;
  }

  /** The planned attempt is made. */
  void begun() {
    dueNanos = NEVER;
  }

  /** The next failure is the first again. */
  void succeeded() {
    failures = 0;
  }
}
