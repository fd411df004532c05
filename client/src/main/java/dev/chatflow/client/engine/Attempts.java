package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Connecting;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Plans further attempts: as many as the plan allows, each after a growing pause. Times are
 * nanoseconds of the run's clock.
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
   * Plans another attempt after a failure; false if the limit is reached or the run is stopped.
   *
   * @param wishNanos minimum pause that the server requested
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

  /** Plans another attempt that does not count as a failure. */
  void postpone(long untilNanos) {
    dueNanos = untilNanos;
  }

  boolean isPlanned() {
    return dueNanos != NEVER;
  }

  boolean isDue(long now) {
    return isPlanned() && now >= dueNanos;
  }

  /** Records that the planned attempt started. */
  void begun() {
    dueNanos = NEVER;
  }

  /** Resets the count of failures. */
  void succeeded() {
    failures = 0;
  }
}
