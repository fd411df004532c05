package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.BrokerAddress;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.transport.Secrets;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that observe broker, servers and consumer. Filled by picocli, then read once. */
final class ObserveOptions {
  @Option(
      names = "--broker",
      paramLabel = "URL",
      description =
          "observe queue depth and rates of this broker: its AMQP or management URL with user"
              + " and password, or the metrics page of a server with an embedded broker")
  private @Nullable String broker;

  @Option(
      names = "--queues",
      paramLabel = "REGEX",
      defaultValue = ".*",
      description =
          "names of the queues to observe; streams are never observed [default:"
              + " ${DEFAULT-VALUE}]")
  private String queues = ".*";

  @Option(
      names = "--scrape",
      paramLabel = "URL",
      description =
          "record this metrics page of a server or consumer (Prometheus text); repeatable")
  private List<String> scrapes = new ArrayList<>();

  @Option(
      names = "--consumer",
      paramLabel = "URL",
      description = "print the statistics of this standalone consumer after the run")
  private @Nullable String consumer;

  Observing observing(@Nullable SSLContext certificates) {
    Pattern chosen = queues();
    return new Observing(
        broker == null ? null : new Observing.Broker(BrokerAddress.parse(broker), chosen),
        scrapes.stream().map(url -> page("--scrape", url)).toList(),
        consumer == null ? null : page("--consumer", consumer),
        certificates);
  }

  private Pattern queues() {
    try {
      return Pattern.compile(queues);
    } catch (PatternSyntaxException e) {
      throw CommandFailure.usage("--queues must be a regular expression, found " + queues);
    }
  }

  /**
   * Returns whether queues are observed that must run empty. Lanes of an embedded broker need not.
   */
  boolean hasQueues() {
    return broker != null && BrokerAddress.parse(broker).metrics() == null;
  }

  private static URI page(String option, String text) {
    try {
      URI uri = new URI(text);
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?")) {
        return uri;
      }
    } catch (URISyntaxException _) {
      // reported below
    }
    throw CommandFailure.usage(
        option + " must be an http:// or https:// URL, found " + Secrets.masked(text));
  }
}
