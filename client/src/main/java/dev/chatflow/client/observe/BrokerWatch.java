package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the broker: depth by AMQP passive declare every 250 ms, rates by the management API
 * every 5 s.
 *
 * <p>Passive declare shows a burst at once, the API after seconds; it counts ready messages only.
 * One thread samples the depth, on a connection of its own, another the rates.
 */
final class BrokerWatch implements AutoCloseable {
  static final Duration DEPTH_PERIOD = Duration.ofMillis(250);
  static final Duration RATES_PERIOD = Duration.ofSeconds(5);
  private static final int NOT_FOUND = 404;

  private final Pattern chosen;
  private final BrokerApi api;
  private final DoubleSupplier seconds;
  private final Consumer<String> complaints;
  private final String name;
  private final Connection connection;
  private final Samples depth = new Samples("ready");
  private final Samples rates =
      new Samples(
          "publishPerSecond", "deliverPerSecond", "ackPerSecond", "ready", "unacked", "blocked");
  private final Set<String> viaApi = ConcurrentHashMap.newKeySet();
  private final Set<String> alarms = ConcurrentHashMap.newKeySet();
  private volatile List<String> names = List.of();
  private volatile double apiReady;
  private Channel channel;

  /** Connects; a broker that does not answer is told before the run. */
  BrokerWatch(Observing observing, DoubleSupplier seconds, Consumer<String> complaints)
      throws IOException, InterruptedException {
    BrokerAddress address = java.util.Objects.requireNonNull(observing.broker());
    this.chosen = observing.queues();
    this.seconds = seconds;
    this.complaints = complaints;
    api = new BrokerApi(address, observing.certificates());
    JsonObject overview = api.overview();
    name =
        text(overview, "product_name", "RabbitMQ") + " " + text(overview, "rabbitmq_version", "");
    try {
      connection =
          factory(address, api, observing.certificates()).newConnection("chatflow-client observer");
      channel = connection.createChannel();
    } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IOException(e.toString(), e);
    }
  }

  private static ConnectionFactory factory(
      BrokerAddress address, BrokerApi api, @Nullable SSLContext certificates)
      throws IOException, InterruptedException, URISyntaxException, GeneralSecurityException {
    ConnectionFactory factory = new ConnectionFactory();
    if (address.amqp() == null) {
      factory.setHost(address.management().getHost());
      factory.setPort(api.amqpPort());
    } else {
      boolean secure = "amqps".equals(address.amqp().getScheme());
      factory.setHost(address.amqp().getHost());
      factory.setPort(
          address.amqp().getPort() < 0 ? (secure ? 5671 : 5672) : address.amqp().getPort());
      if (secure) {
        factory.useSslProtocol(certificates == null ? SSLContext.getDefault() : certificates);
        factory.enableHostnameVerification();
      }
    }
    factory.setUsername(address.user());
    factory.setPassword(address.password());
    factory.setVirtualHost(address.virtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout((int) TimeUnit.SECONDS.toMillis(5));
    return factory;
  }

  /** One sample of the depth; a gap when the broker did not answer. */
  void sampleDepth() {
    double at = seconds.getAsDouble();
    try {
      depth.add(at, ready());
    } catch (IOException | RuntimeException e) {
      depth.gap(at);
      complaints.accept("broker depth: " + reason(e));
    }
  }

  /** Rates, names of the queues, alarms; a gap when the API did not answer. */
  void sampleRates() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      List<JsonObject> queues = api.queues(chosen);
      names = queues.stream().map(queue -> queue.get("name").getAsString()).toList();
      apiReady =
          queues.stream()
              .filter(queue -> viaApi.contains(queue.get("name").getAsString()))
              .mapToDouble(queue -> BrokerApi.number(queue, "messages_ready"))
              .filter(value -> !Double.isNaN(value))
              .sum();
      rates.add(at, api.rates(queues));
      alarms.addAll(api.alarms());
    } catch (IOException | RuntimeException e) {
      rates.gap(at);
      complaints.accept("broker rates: " + reason(e));
    }
  }

  private double ready() throws IOException {
    long sum = 0;
    for (String queue : names) {
      sum += viaApi.contains(queue) ? 0 : ready(queue);
    }
    return sum + apiReady;
  }

  /** A channel survives no refused question: 404 is a queue that has gone, 405 one of another. */
  private long ready(String queue) throws IOException {
    if (!channel.isOpen()) {
      channel = connection.createChannel();
    }
    try {
      return channel.queueDeclarePassive(queue).getMessageCount();
    } catch (IOException e) {
      if (!connection.isOpen()) {
        throw e;
      }
      if (!isNotFound(e)) {
        viaApi.add(queue);
      }
      List<String> rest = new ArrayList<>(names);
      rest.remove(queue);
      names = isNotFound(e) ? List.copyOf(rest) : names;
      return 0;
    }
  }

  private static boolean isNotFound(IOException e) {
    return e.getCause() instanceof com.rabbitmq.client.ShutdownSignalException signal
        && signal.getReason() instanceof com.rabbitmq.client.AMQP.Channel.Close close
        && close.getReplyCode() == NOT_FOUND;
  }

  /** Waits until the queues are empty, at most so long; returns what is left, negative: unknown. */
  long settle(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      sampleDepth();
      double[] ready = depth.column("ready");
      double left = ready[ready.length - 1];
      if (left == 0 || Double.isNaN(left) || System.nanoTime() > deadline) {
        return Double.isNaN(left) ? -1 : (long) left;
      }
      TimeUnit.MILLISECONDS.sleep(DEPTH_PERIOD.toMillis());
    }
  }

  OptionalDouble lastDepth() {
    return depth.statistic("ready", "last");
  }

  Observations.BrokerFigures figures(long left) {
    return new Observations.BrokerFigures(
        name,
        depth,
        rates,
        viaApi.stream().sorted().toList(),
        alarms.stream().sorted().toList(),
        left);
  }

  private static String reason(Exception e) {
    return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
  }

  private static String text(JsonObject json, String name, String otherwise) {
    return json.has(name) ? json.get(name).getAsString() : otherwise;
  }

  @Override
  public void close() {
    api.close();
    connection.abort((int) TimeUnit.SECONDS.toMillis(2));
  }
}
