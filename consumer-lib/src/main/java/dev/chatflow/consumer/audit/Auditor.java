package dev.chatflow.consumer.audit;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.ShardMismatchException;
import dev.chatflow.consumer.AuditConsumer;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The standalone consumer, wired: connection, queues, records, HTTP. Any thread may call. */
final class Auditor implements AutoCloseable {

  private final BrokerConnector connector;
  private final AuditConsumer consumer;
  private final AuditMeters meters = new AuditMeters();
  private final Statistics statistics;
  private final Health health;
  private final AuditHttp http;

  /**
   * Binds the HTTP port; {@link #start} does the rest.
   *
   * @param fresh whether what lies in the queues already is not to be recorded
   */
  Auditor(AuditConfig config, boolean fresh, String version) throws BrokerException, IOException {
    InstantSource clock = InstantSource.system();
    connector = new BrokerConnector(config.broker(), "audit", "chatflow audit consumer");
    List<Records> records =
        Stream.generate(() -> new Records(config.bounds(), clock))
            .limit(config.consumer().threads())
            .toList();
    statistics = new Statistics(records, clock);
    consumer = new AuditConsumer(config.consumer(), fresh, connector, records, meters);
    meters.show(statistics);
    meters.show(consumer, connector);
    health = new Health(version, connector, consumer, statistics, meters);
    http = new AuditHttp(new Answers(statistics, meters, health), config.listen());
  }

  void start() {
    connector.start();
    consumer.start();
    http.start();
  }

  /** Where it answers. */
  URI url() {
    String host = http.address().getAddress().getHostAddress();
    String reachable =
        http.address().getAddress().isAnyLocalAddress()
            ? "127.0.0.1"
            : host.contains(":") ? "[" + host + "]" : host;
    return URI.create("http://" + reachable + ":" + http.address().getPort());
  }

  boolean isReady() {
    return consumer.isReady();
  }

  /** Why it cannot go on; or null. */
  @Nullable ShardMismatchException failure() {
    return consumer.failure();
  }

  /** Why the queues are not read yet, in words for an operator. */
  String trouble() {
    return consumer.trouble();
  }

  Statistics statistics() {
    return statistics;
  }

  /** Records and acknowledges what was handed over, then ends; the queues stay. */
  @Override
  public void close() {
    health.draining();
    consumer.close();
    connector.close();
    http.close();
    meters.close();
  }
}
