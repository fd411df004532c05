package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import dev.chatflow.client.record.Samples;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What the observers saw during a run. Immutable once the run is over.
 *
 * @param broker depth, rates and state, or null without {@code --broker}
 * @param own the client's own process
 * @param consumer the consumer's statistics, or null
 * @param settings what each scraped server is set to, by its page; of runs of older clients null
 * @param complaints what could not be observed, and why
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

  /** What each scraped server is set to, by its page; empty where none told it. */
  public Map<String, Map<String, String>> serverSettings() {
    return settings == null ? Map.of() : settings;
  }

  /** A statistic of a scraped metric, of all pages together that have it. */
  public OptionalDouble metric(String name, String statistic) {
    return scrapes.stream()
        .map(scrape -> scrape.samples().statistic(name, statistic))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .reduce((one, other) -> Scrape.together(name, one, other));
  }
}
