package dev.chatflow.client.observe;

import java.util.Map;

/**
 * Computes rates from increasing counters, because the broker's own rates fluctuate. Belongs to one
 * thread.
 */
final class CounterRates {
  private Map<String, Double> before = Map.of();
  private Map<String, Double> now = Map.of();
  private double beforeSeconds = Double.NaN;
  private double nowSeconds = Double.NaN;

  /** Records the current counters, by names such as {@code ack/queue}. */
  void take(double seconds, Map<String, Double> counters) {
    before = now;
    beforeSeconds = nowSeconds;
    now = Map.copyOf(counters);
    nowSeconds = seconds;
  }

  /**
   * Returns the growth per second between the last two records of the counters with this prefix. A
   * new counter started at 0; a missing or reset one counts nothing. {@code NaN} before the second
   * record, and without such a counter.
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
