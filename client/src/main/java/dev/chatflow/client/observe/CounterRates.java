package dev.chatflow.client.observe;

import java.util.Map;

/**
 * Rates made of counters that only grow: the broker's own rates flicker, its counters do not.
 * Belongs to one thread.
 */
final class CounterRates {
  private Map<String, Double> before = Map.of();
  private Map<String, Double> now = Map.of();
  private double beforeSeconds = Double.NaN;
  private double nowSeconds = Double.NaN;

  /** Takes the counters of this moment, by names such as {@code ack/queue}. */
  void take(double seconds, Map<String, Double> counters) {
    before = now;
    beforeSeconds = nowSeconds;
    now = Map.copyOf(counters);
    nowSeconds = seconds;
  }

  /**
   * Growth per second, from the moment before to this one, of the counters whose names begin so; a
   * counter that is new began at 0, one that has gone or begun anew counts nothing. {@code NaN}
   * before there are two moments, and without such a counter.
   */
  double perSecond(String prefix) {
    boolean any = now.keySet().stream().anyMatch(name -> name.startsWith(prefix));
    if (!any || Double.isNaN(beforeSeconds) || nowSeconds <= beforeSeconds) {
      return Double.NaN;
    }
    double growth =
        now.entrySet().stream()
            .filter(counter -> counter.getKey().startsWith(prefix))
            .mapToDouble(counter -> counter.getValue() - before.getOrDefault(counter.getKey(), 0.0))
            .filter(grown -> grown > 0)
            .sum();
    return growth / (nowSeconds - beforeSeconds);
  }
}
