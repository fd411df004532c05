package dev.chatflow.client.fake;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.observe.BrokerAddress;
import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Observing;
import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.record.Samples;
import dev.chatflow.client.result.StoredRun;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Runs stored by the first version of the client, as test resources: {@code open} (open model with
 * stages, two servers), {@code closed}, and {@code skier} (posts in three phases).
 */
public final class StoredRuns {
  private static final String STATS =
      """
      {"activeUsers": 12, "busiestRoom": {"roomId": "7", "messages": 90},
       "topUsers": [{"userId": "3", "messages": 41}]}
      """;

  private StoredRuns() {}

  public static Path directory(String name) {
    return Path.of("src", "test", "resources", "stored", name);
  }

  public static StoredRun read(String name) {
    return StoredRun.read(directory(name));
  }

  /** Returns the open run with signals and observations of every kind. */
  public static StoredRun observed() {
    Changed open = Changed.run("open").signals();
    Samples depth = new Samples("ready");
    depth.add(0.5, 10);
    depth.add(1.0, 212);
    depth.add(1.5, 4);
    Samples rates =
        new Samples(
            "publishPerSecond", "deliverPerSecond", "ackPerSecond", "ready", "unacked", "blocked");
    rates.add(0.1, Double.NaN, Double.NaN, Double.NaN, 0, 0, 0);
    rates.add(1.2, 436, 1_307, 1_300, 12, 7, 0);
    Samples metrics = new Samples("chat_lag_seconds", "chat_queue_depth");
    metrics.add(0.5, 0.01, 3);
    metrics.add(1.5, 0.02, 5);
    metrics.gap(1.8);
    JsonObject stats = JsonParser.parseString(STATS).getAsJsonObject();
    Observations seen =
        new Observations(
            new BrokerFigures("RabbitMQ 4.0", depth, rates, List.of("own"), List.of(), 0),
            open.result().observations().own(),
            List.of(new Scrape("http://host-1:9090/metrics", metrics)),
            stats,
            List.of("scrape http://host-2:9090/metrics: connection refused"),
            Map.of());
    return open.observations(seen)
        .tag(
            Map.of("why", "kept"),
            List.of("--rate", "400"),
            List.of("--rate=400 (cli)"),
            Duration.ofMillis(10))
        .stored();
  }

  /** Returns the observation options of {@link #observed}. */
  public static Observing observing() {
    return new Observing(
        new Observing.Broker(BrokerAddress.parse("amqp://broker"), Pattern.compile(".*")),
        List.of(URI.create("http://host-1:9090/metrics")),
        null,
        null);
  }
}
