package dev.chatflow.client.observe;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at beside the messages. Immutable.
 *
 * @param scrapes pages in the Prometheus text format
 * @param consumer address of the standalone consumer
 * @param certificates what theirs are checked against; null: the system's
 */
public record Observing(
    @Nullable Broker broker,
    List<URI> scrapes,
    @Nullable URI consumer,
    @Nullable SSLContext certificates) {

  /**
   * Which broker is watched.
   *
   * @param queues names of the queues whose depth counts, unless they are streams
   */
  public record Broker(BrokerAddress address, Pattern queues) {}

  public Observing {
    scrapes = List.copyOf(scrapes);
  }
}
