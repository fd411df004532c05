package dev.chatflow.client.observe;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.transport.Reason;
import dev.chatflow.client.transport.Secrets;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Observes the embedded broker by the meters of its server, because it has no management API.
 * Queued are messages waiting in lanes, published are flights, unacknowledged are entries of shard
 * logs.
 *
 * <p>One thread samples the depth, another the rates.
 */
final class LaneWatch extends BrokerView {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final String LANES = "chatflow_lane_messages";
  private static final String FLIGHTS = "chatflow_flight_messages_count";
  private static final String UNACKED = "chatflow_reader_unacked";

  private final URI page;
  private final HttpClient http;
  private final CounterRates counters = new CounterRates();

  LaneWatch(
      URI page,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints)
      throws InterruptedException {
    super(seconds, complaints);
    this.page = page;
    http = Pages.client(TIMEOUT, certificates);
    try {
      if (!ask().containsKey(LANES)) {
        throw new IOException("not a metrics page of a ChatFlow server: no " + LANES);
      }
    } catch (IOException e) {
      http.shutdownNow();
      throw CommandFailure.usage(
          "--broker " + Secrets.masked(page.toString()) + " cannot be observed: " + Reason.of(e));
    }
  }

  private Map<String, Double> ask() throws IOException, InterruptedException {
    return MetricsPage.read(Pages.get(http, page, TIMEOUT));
  }

  @Override
  double ready() throws IOException, InterruptedException {
    return ask().getOrDefault(LANES, Double.NaN);
  }

  @Override
  double[] ratesAt(double seconds) throws IOException, InterruptedException {
    Map<String, Double> now = ask();
    counters.take(seconds, Map.of("publish", now.getOrDefault(FLIGHTS, 0.0)));
    return new double[] {
      counters.perSecond("publish"),
      Double.NaN,
      Double.NaN,
      now.getOrDefault(LANES, Double.NaN),
      now.getOrDefault(UNACKED, Double.NaN),
      Double.NaN
    };
  }

  @Override
  public BrokerFigures figures(long left) {
    return new BrokerFigures(
        "embedded, observed through its server", depth(), rates(), List.of(), List.of(), left);
  }

  @Override
  public void close() {
    super.close();
    http.shutdownNow();
  }
}
