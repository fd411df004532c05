package dev.chatflow.client.observe;

import dev.chatflow.client.record.Samples;

/** Samples of one metrics page. */
public record Scrape(String source, Samples samples) {

  /** Combines two values of a metric: the maximum of maxima, otherwise the sum. */
  public static double together(String metric, double one, double other) {
    return metric.endsWith("_max") ? Math.max(one, other) : one + other;
  }
}
