package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the lanes with an entry in the last eight seconds, which is twice the beacon interval of
 * an idle lane.
 *
 * <p>One thread. Each count drops older lanes.
 */
final class ActiveLanes {

  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(8);

  // Least recently observed first.
  private final Map<Lane, Long> observed = new LinkedHashMap<>(16, 0.75f, true);

  void observe(Lane lane, long nowNanos) {
    observed.put(lane, nowNanos);
  }

  /** Returns the number of active lanes; at least 1. */
  int count(long nowNanos) {
    observed.values().removeIf(at -> nowNanos - at > LATELY_NANOS);
    return Math.max(1, observed.size());
  }
}
