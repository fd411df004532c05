package dev.chatflow.client.observe;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at beside the messages. Immutable.
 *
 * @param queues names of the broker's queues whose depth counts
 * @param scrapes pages in the Prometheus text format
 * @param consumer address of the standalone consumer
 * @param certificates what theirs are checked against; null: the system's
 */
public record Observing(
    @Nullable BrokerAddress broker,
    Pattern queues,
    List<URI> scrapes,
    @Nullable URI consumer,
    @Nullable SSLContext certificates) {
  public static final Observing NOTHING =
      new Observing(null, Pattern.compile(".*"), List.of(), null, null);

  public Observing {
    scrapes = List.copyOf(scrapes);
  }
}
