package dev.chatflow.client.record;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One histogram per series and clock: 3 digits, 1 microsecond to 1 hour.
 *
 * <p>Not thread-safe: one thread records, then hands over the whole set.
 */
public final class SeriesSet {
  private static final long MAX_MICROS = 3_600_000_000L;

  private record Clocks(Histogram response, Histogram service) {
    Histogram of(Clock clock) {
      return clock == Clock.RESPONSE ? response : service;
    }
  }

  private final Map<Series, Clocks> clocks = new EnumMap<>(Series.class);

  public SeriesSet() {
    for (Series series : Series.values()) {
      clocks.put(series, new Clocks(new Histogram(MAX_MICROS, 3), new Histogram(MAX_MICROS, 3)));
    }
  }

  public Histogram of(Series series, Clock clock) {
    Clocks both = clocks.get(series);
    if (both == null) {
      throw new IllegalArgumentException("no series " + series);
    }
    return both.of(clock);
  }

  public void record(Series series, Clock clock, long micros) {
    of(series, clock).recordValue(Math.clamp(micros, 0, MAX_MICROS));
  }

  /** Records one value on both clocks, for series without due times. */
  public void record(Series series, long micros) {
    record(series, Clock.RESPONSE, micros);
    record(series, Clock.SERVICE, micros);
  }

  public void add(SeriesSet other) {
    for (Series series : Series.values()) {
      for (Clock clock : Clock.values()) {
        of(series, clock).add(other.of(series, clock));
      }
    }
  }

  public void reset() {
    for (Clocks both : clocks.values()) {
      both.response.reset();
      both.service.reset();
    }
  }
}
