package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Observes the broker: depth by AMQP passive declare every 250 ms, rates by the management API
 * every 5 s.
 *
 * <p>Passive declare shows a burst at once, the API after seconds; it counts only ready messages.
 * Streams are not in the depths, because their ready messages are all retained ones. One thread
 * samples the depth on its own connection, another the rates.
 */
final class BrokerWatch extends BrokerView {
  private static final Duration API_LAG = Duration.ofSeconds(7);
  private static final int NOT_FOUND = 404;

  private final Observing.Broker target;
  private final BrokerApi api;
  private final String name;
  private final Connection connection;
  private final CounterRates counters = new CounterRates();
  private final Set<String> viaApi = ConcurrentHashMap.newKeySet();
  private final Set<String> alarms = ConcurrentHashMap.newKeySet();
  private volatile List<String> names = List.of();
  private volatile double apiReady;
  private Channel channel;

  /**
   * Connects.
   *
   * @param certificates trusted certificates; null for the system's
   * @param complaints receives failed observations
   * @throws CommandFailure before the run, if the broker cannot be observed
   */
  BrokerWatch(
      Observing.Broker target,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints)
      throws InterruptedException {
    super(seconds, complaints);
    this.target = target;
    BrokerAddress address = target.address();
    api = new BrokerApi(address, certificates);
    try {
      JsonObject overview = api.overview();
      name =
          text(overview, "product_name", "RabbitMQ") + " " + text(overview, "rabbitmq_version", "");
    } catch (IOException | RuntimeException e) {
      throw CommandFailure.usage(
          """
          --broker %s cannot be queried: management API %s: %s. RabbitMQ has one with its plugin \
          rabbitmq_management, on port 15672 or the port after #. The embedded broker has none: \
          --broker takes the metrics page of its server instead, such as \
          http://localhost:8081/metrics\
          """
              .formatted(address, address.management(), Reason.of(e)));
    }
    try {
      connection = factory(address, api, certificates).newConnection("chatflow-client observer");
      channel = connection.createChannel();
    } catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw CommandFailure.usage(
          "--broker " + address + " cannot be observed over AMQP: " + Reason.of(e));
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

  /** Also updates the names of the queues and the alarms. */
  @Override
  double[] ratesAt(double seconds) throws IOException, InterruptedException {
    List<JsonObject> queues = api.queues(target.queues());
    List<JsonObject> emptied = queues.stream().filter(q -> !BrokerApi.isStream(q)).toList();
    names = emptied.stream().map(queue -> queue.get("name").getAsString()).toList();
    List<JsonObject> overApi =
        emptied.stream().filter(queue -> viaApi.contains(queue.get("name").getAsString())).toList();
    apiReady = overApi.isEmpty() ? 0 : BrokerApi.sum(overApi, "messages_ready");
    counters.take(seconds, api.counters(queues));
    double[] rates = {
      counters.perSecond("publish"),
      counters.perSecond("deliver/"),
      counters.perSecond("ack/"),
      BrokerApi.sum(emptied, "messages_ready"),
      api.unacknowledged(),
      api.blocked()
    };
    alarms.addAll(api.alarms());
    return rates;
  }

  @Override
  double ready() throws IOException {
    long sum = 0;
    for (String queue : names) {
      sum += viaApi.contains(queue) ? 0 : ready(queue);
    }
    return sum + apiReady;
  }

  /**
   * Returns the ready messages of a queue. An error closes the channel: 404 is a deleted queue, 405
   * one of another connection.
   */
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

  /** First waits until the API, which is seconds late, shows traffic. */
  @Override
  public long settle(Duration patience) throws InterruptedException {
    awaitTraffic(API_LAG);
    return super.settle(patience);
  }

  @Override
  public BrokerFigures figures(long left) {
    return new BrokerFigures(
        name,
        depth(),
        rates(),
        viaApi.stream().sorted().toList(),
        alarms.stream().sorted().toList(),
        left);
  }

  private static String text(JsonObject json, String name, String otherwise) {
    return json.has(name) ? json.get(name).getAsString() : otherwise;
  }

  @Override
  public void close() {
    super.close();
    api.close();
    connection.abort((int) TimeUnit.SECONDS.toMillis(2));
  }
}
