package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the lanes that were heard in the last eight seconds: twice the time between two beacons of
 * an idle one.
 *
 * <p>One thread. Forgets at each count what is older.
 */
final class ActiveLanes {

  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(8);

  // Heard longest ago first.
  private final Map<Lane, Long> observed = new LinkedHashMap<>(16, 0.75f, true);

  void observe(Lane lane, long nowNanos) {
    observed.put(lane, nowNanos);
  }

  /** How many; at least 1. */
  int count(long nowNanos) {
    observed.values().removeIf(at -> nowNanos - at > LATELY_NANOS);
    return Math.max(1, observed.size());
  }
}
