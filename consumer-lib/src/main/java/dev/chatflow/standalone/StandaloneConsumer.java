package dev.chatflow.standalone;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.http.HttpListener;
import dev.chatflow.identity.Access;
import dev.chatflow.identity.TokenDoor;
import dev.chatflow.standalone.record.Records;
import dev.chatflow.standalone.record.Statistics;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The standalone consumer in memory, wired: connection, queues, records, HTTP. Any thread may call.
 */
final class StandaloneConsumer implements Running {

  private final BrokerConfig broker;
  private final BrokerConnector connector;
  private final ConsumerThreads threads;
  private final StandaloneMeters meters = new StandaloneMeters();
  private final Health health;
  private final Access access;
  private final HttpListener http;

  /**
   * Binds the HTTP port; {@link #start} does the rest.
   *
   * @param fresh whether what lies in the queues already is not to be recorded
   * @throws IOException when the port cannot be bound, or certificate or keys cannot be read
   */
  StandaloneConsumer(StandaloneConfig config, boolean fresh, String version)
      throws BrokerException, IOException {
    InstantSource clock = InstantSource.system();
    broker = config.broker();
    connector = new BrokerConnector(config.broker(), "standalone", "chatflow standalone consumer");
    List<Records> records =
        Stream.generate(() -> new Records(config.bounds(), clock))
            .limit(config.consumer().threads())
            .toList();
    Statistics statistics = new Statistics(records, clock);
    List<RecordingDuty> duties =
        IntStream.range(0, config.consumer().threads())
            .mapToObj(n ->
                new RecordingDuty(config.consumer(), n, fresh, connector, records.get(n), meters))
            .toList();
    threads = new ConsumerThreads(config.consumer(), connector, duties, meters);
    meters.show(statistics);
    meters.show(duties, threads, connector);
    health = new Health(version, connector, threads, duties, statistics, meters);
    access = Access.of(config.access(), "chat-");
    Answers answers = new Answers(statistics, meters, health);
    http =
        new HttpListener(
            config.listen(),
            "chat-http-",
            new TokenDoor(access, System::currentTimeMillis, answers),
            config.tls());
  }

  @Override
  public void start() {
    connector.start();
    threads.start();
    access.start();
    http.start();
  }

  @Override
  public URI url() {
    return Running.url(http);
  }

  @Override
  public boolean isReady() {
    return threads.isReady();
  }

  @Override
  public @Nullable ShardMismatchException failure() {
    return threads.failure();
  }

  @Override
  public String needs() {
    return "the broker at " + broker;
  }

  @Override
  public String trouble() {
    return threads.trouble();
  }

  /** Records and acknowledges what was handed over, then ends; the queues stay. */
  @Override
  public void close() {
    health.draining();
    threads.close();
    connector.close();
    http.close();
    access.close();
    meters.close();
  }
}
