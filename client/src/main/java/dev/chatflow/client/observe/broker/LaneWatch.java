package dev.chatflow.client.observe.broker;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.observe.page.MetricsPage;
import dev.chatflow.client.observe.page.Pages;
import dev.chatflow.client.series.Samples;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The embedded broker, by the meters of its server: it has no management API. Queued is what waits
 * in the lanes to be published, published are flights, unacknowledged are entries of the logs.
 *
 * <p>Depth and rates are sampled by one thread each.
 */
final class LaneWatch implements BrokerView {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final String LANES = "chatflow_lane_messages";
  private static final String FLIGHTS = "chatflow_flight_messages_count";
  private static final String UNACKED = "chatflow_consumer_unacked";

  private final URI page;
  private final HttpClient http;
  private final DoubleSupplier seconds;
  private final Consumer<String> complaints;
  private final Samples depth = new Samples("ready");
  private final Samples rates =
      new Samples(
          "publishPerSecond", "deliverPerSecond", "ackPerSecond", "ready", "unacked", "blocked");
  private final CounterRates counters = new CounterRates();
  private final CountDownLatch closed = new CountDownLatch(1);

  LaneWatch(
      URI page,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints)
      throws InterruptedException {
    this.page = page;
    this.seconds = seconds;
    this.complaints = complaints;
    http = Pages.client(TIMEOUT, certificates);
    try {
      if (!ask().containsKey(LANES)) {
        throw new IOException("it is no metrics page of a ChatFlow server: no " + LANES);
      }
    } catch (IOException e) {
      http.shutdownNow();
      throw CommandFailure.usage("--broker " + page + " cannot be asked: " + Reason.of(e));
    }
  }

  private Map<String, Double> ask() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("HTTP " + answer.statusCode());
    }
    return MetricsPage.read(answer.body());
  }

  @Override
  public void sampleDepth() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      depth.add(at, ask().getOrDefault(LANES, Double.NaN));
    } catch (IOException e) {
      depth.gap(at);
      complaints.accept("broker depth: " + Reason.of(e));
    }
  }

  @Override
  public void sampleRates() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      Map<String, Double> now = ask();
      counters.take(at, Map.of("publish", now.getOrDefault(FLIGHTS, 0.0)));
      rates.add(
          at,
          counters.perSecond("publish"),
          Double.NaN,
          Double.NaN,
          now.getOrDefault(LANES, Double.NaN),
          now.getOrDefault(UNACKED, Double.NaN),
          Double.NaN);
    } catch (IOException e) {
      rates.gap(at);
      complaints.accept("broker rates: " + Reason.of(e));
    }
  }

  @Override
  public long settle(Duration patience) throws InterruptedException {
    double end = seconds.getAsDouble() + patience.toNanos() / 1e9;
    sampleRates();
    sampleDepth();
    while (lastDepth().orElse(0) > 0
        && seconds.getAsDouble() < end
        && !closed.await(DEPTH_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
      sampleDepth();
    }
    OptionalDouble left = lastDepth();
    return left.isPresent() ? (long) left.getAsDouble() : -1;
  }

  @Override
  public OptionalDouble lastDepth() {
    return depth.statistic("ready", "last");
  }

  @Override
  public BrokerFigures figures(long left) {
    return new BrokerFigures(
        "embedded, seen by its server", depth, rates, List.of(), List.of(), left);
  }

  @Override
  public void close() {
    closed.countDown();
    http.shutdownNow();
  }
}
