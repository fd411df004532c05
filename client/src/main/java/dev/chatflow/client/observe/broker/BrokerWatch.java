package dev.chatflow.client.observe.broker;

import com.google.gson.JsonObject;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.series.Samples;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the broker: depth by AMQP passive declare every 250 ms, rates by the management API
 * every 5 s.
 *
 * <p>Passive declare shows a burst at once, the API after seconds; it counts ready messages only.
 * Streams are left out of every depth: what is ready there is what they retain. One thread samples
 * the depth, on a connection of its own, another the rates.
 */
public final class BrokerWatch implements BrokerView {
  private static final Duration API_LAG = Duration.ofSeconds(7);
  private static final int NOT_FOUND = 404;

  private final BrokerTarget target;
  private final BrokerApi api;
  private final DoubleSupplier seconds;
  private final Consumer<String> complaints;
  private final String name;
  private final Connection connection;
  private final Samples depth = new Samples("ready");
  private final Samples rates =
      new Samples(
          "publishPerSecond", "deliverPerSecond", "ackPerSecond", "ready", "unacked", "blocked");
  private final CounterRates counters = new CounterRates();
  private final Set<String> viaApi = ConcurrentHashMap.newKeySet();
  private final Set<String> alarms = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile List<String> names = List.of();
  private volatile double apiReady;
  private Channel channel;

  /**
   * Connects.
   *
   * @param certificates what the broker's are checked against; null: the system's
   * @param complaints is told what could not be seen
   * @throws CommandFailure when the broker cannot be asked: better before a run than in it
   */
  public BrokerWatch(
      BrokerTarget target,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints)
      throws InterruptedException {
    this.target = target;
    this.seconds = seconds;
    this.complaints = complaints;
    BrokerAddress address = target.address();
    api = new BrokerApi(address, certificates);
    try {
      JsonObject overview = api.overview();
      name =
          text(overview, "product_name", "RabbitMQ") + " " + text(overview, "rabbitmq_version", "");
    } catch (IOException | RuntimeException e) {
      throw CommandFailure.usage(
          "--broker "
              + address
              + " cannot be asked: management API "
              + address.management()
              + ": "
              + Reason.of(e)
              + ". RabbitMQ has one with its plugin rabbitmq_management, on port 15672 or the port"
              + " after #. The embedded broker has none: --broker takes the metrics page of its server"
              + " instead, such as http://localhost:8081/metrics");
    }
    try {
      connection = factory(address, api, certificates).newConnection("chatflow-client observer");
      channel = connection.createChannel();
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw CommandFailure.usage(
          "--broker " + address + " cannot be asked over AMQP: " + Reason.of(e));
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
  @Override
  public void sampleDepth() {
    double at = seconds.getAsDouble();
    try {
      depth.add(at, ready());
    } catch (IOException | RuntimeException e) {
      depth.gap(at);
      complaints.accept("broker depth: " + Reason.of(e));
    }
  }

  /** Rates, names of the queues, alarms; a gap when the API did not answer. */
  @Override
  public void sampleRates() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      List<JsonObject> queues = api.queues(target.queues());
      List<JsonObject> emptied = queues.stream().filter(q -> !BrokerApi.isStream(q)).toList();
      names = emptied.stream().map(queue -> queue.get("name").getAsString()).toList();
      List<JsonObject> asked =
          emptied.stream()
              .filter(queue -> viaApi.contains(queue.get("name").getAsString()))
              .toList();
      apiReady = asked.isEmpty() ? 0 : BrokerApi.sum(asked, "messages_ready");
      counters.take(at, api.counters(queues));
      rates.add(
          at,
          counters.perSecond("publish"),
          counters.perSecond("deliver/"),
          counters.perSecond("ack/"),
          BrokerApi.sum(emptied, "messages_ready"),
          api.unacknowledged(),
          (double) api.blocked());
      alarms.addAll(api.alarms());
    } catch (IOException | RuntimeException e) {
      rates.gap(at);
      complaints.accept("broker rates: " + Reason.of(e));
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

  /**
   * Waits until the API, which lags by seconds, has told of traffic, at most {@link #API_LAG}; then
   * until the queues are empty, at most {@code patience}. Returns what is left in the queues,
   * negative: unknown.
   */
  @Override
  public long settle(Duration patience) throws InterruptedException {
    double told = seconds.getAsDouble() + API_LAG.toSeconds();
    sampleRates();
    while (rates.statistic("publishPerSecond", "max").orElse(0) <= 0
        && seconds.getAsDouble() < told
        && !closed.await(1, TimeUnit.SECONDS)) {
      sampleRates();
    }
    double end = seconds.getAsDouble() + patience.toNanos() / 1e9;
    double left = left();
    while (left > 0
        && seconds.getAsDouble() < end
        && !closed.await(DEPTH_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
      left = left();
    }
    return Double.isNaN(left) ? -1 : (long) left;
  }

  private double left() {
    sampleDepth();
    double[] ready = depth.column("ready");
    return ready[ready.length - 1];
  }

  @Override
  public OptionalDouble lastDepth() {
    return depth.statistic("ready", "last");
  }

  @Override
  public BrokerFigures figures(long left) {
    return new BrokerFigures(
        name,
        depth,
        rates,
        viaApi.stream().sorted().toList(),
        alarms.stream().sorted().toList(),
        left);
  }

  private static String text(JsonObject json, String name, String otherwise) {
    return json.has(name) ? json.get(name).getAsString() : otherwise;
  }

  @Override
  public void close() {
    closed.countDown();
    api.close();
    connection.abort((int) TimeUnit.SECONDS.toMillis(2));
  }
}
