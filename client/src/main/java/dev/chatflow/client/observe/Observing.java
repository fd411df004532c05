package dev.chatflow.client.observe;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the observers. Immutable.
 *
 * @param scrapes pages in the Prometheus text format
 * @param consumer address of the standalone consumer
 * @param certificates trusted certificates; null for the system's
 */
public record Observing(
    @Nullable Broker broker,
    List<URI> scrapes,
    @Nullable URI consumer,
    @Nullable SSLContext certificates) {

  /**
   * The broker to observe.
   *
   * @param queues names of the observed queues, without streams
   */
  public record Broker(BrokerAddress address, Pattern queues) {}

  public Observing {
    scrapes = List.copyOf(scrapes);
  }
}
