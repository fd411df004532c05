package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import dev.chatflow.client.record.Samples;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The observations of a run. Immutable after the run.
 *
 * @param broker depth, rates and state, or null without {@code --broker}
 * @param own the client's own process
 * @param consumer the consumer's statistics, or null
 * @param settings settings of each scraped server by page; null in runs of older clients
 * @param complaints failed observations with their reasons
 */
public record Observations(
    @Nullable BrokerFigures broker,
    Samples own,
    List<Scrape> scrapes,
    @Nullable JsonObject consumer,
    List<String> complaints,
    @Nullable Map<String, Map<String, String>> settings) {

  public Observations {
    scrapes = List.copyOf(scrapes);
    complaints = List.copyOf(complaints);
  }

  public static Observations none() {
    return new Observations(null, new Samples(), List.of(), null, List.of(), Map.of());
  }

  /** Returns the settings of each scraped server by page; empty without any. */
  public Map<String, Map<String, String>> serverSettings() {
    return settings == null ? Map.of() : settings;
  }

  /** Returns a statistic of a scraped metric over all pages that have it. */
  public OptionalDouble metric(String name, String statistic) {
    return scrapes.stream()
        .map(scrape -> scrape.samples().statistic(name, statistic))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .reduce((one, other) -> Scrape.together(name, one, other));
  }
}
