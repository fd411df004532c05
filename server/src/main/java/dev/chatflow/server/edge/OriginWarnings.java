package dev.chatflow.server.edge;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits warnings about rejected origins to one per origin and hour. Remembers {@value #MAX}
 * origins; while all of them are recent, further ones are not logged.
 *
 * <p>Thread-safe. The caller passes times of {@link System#nanoTime}.
 */
public final class OriginWarnings {

  static final int MAX = 100;
  static final Duration EVERY = Duration.ofHours(1);

  /** Guarded by itself. */
  private final Map<String, Long> named = new LinkedHashMap<>();

  /** Returns whether to log this origin now. */
  public boolean take(String origin, long nowNanos) {
    synchronized (named) {
      named.values().removeIf(at -> nowNanos - at >= EVERY.toNanos());
      return named.size() < MAX && named.putIfAbsent(origin, nowNanos) == null;
    }
  }
}
