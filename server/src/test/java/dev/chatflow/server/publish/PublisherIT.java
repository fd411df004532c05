package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.ServerStatistics;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The lanes of a server with a real broker. */
class PublisherIT {

  private static final ServerStatistics STATISTICS = new ServerStatistics(1, 2, 3, 4, "5.6.7");
  private static final Shard SHARD = new Shard(0);
  private static final int ENTRIES = 100;

  /**
   * Of the entries after the second, eight may follow at once. All others follow 10 ms apart; on an
   * idle machine it would be 2.5 ms.
   */
  private static final Duration AT_LEAST = Duration.ofMillis(10 * (ENTRIES - 2 - 8));

  @BrokerTest
  void lanesAreToldThatTheMachineIsBusy(TestBroker broker) throws Exception {
    Chain chain = new Chain();
    try (BrokerConnector connector =
            new BrokerConnector(broker.config(), "publisher", "chatflow test publisher");
        Publisher publisher = publisher(connector, chain)) {
      try (var connection = broker.connect()) {
        Topology.declareShared(connection, 1, Nodes.ONE);
        Topology.declareLog(connection, SHARD, Nodes.ONE);
      }
      connector.start();
      publisher.start();
      publisher.look(System.nanoTime(), 1);
      chain.begin(() -> publisher.lane(SHARD).beacon());
      assertThat(chain.took.get(1, TimeUnit.MINUTES)).isGreaterThanOrEqualTo(AT_LEAST);
    }
  }

  private static Publisher publisher(BrokerConnector connector, PublishMeter meter) {
    return new Publisher(
        new PublishConfig("it", 1, 1, 1, 1 << 20, Duration.ofSeconds(5), 5),
        connector,
        new ClusterTime(System::nanoTime, System.currentTimeMillis()),
        meter,
        () -> {},
        () -> STATISTICS);
  }

  /** Requests an entry whenever one is confirmed, and measures how long that takes. */
  private static final class Chain extends NoLaneMeter implements PublishMeter {
    private final CompletableFuture<Duration> took = new CompletableFuture<>();
    private volatile Runnable request = () -> {};

    // Used only by the lane's thread.
    private int entries;
    private long firstNanos;

    void begin(Runnable requestEntry) {
      request = requestEntry;
      requestEntry.run();
    }

    @Override
    public void confirmed(int lines, Duration confirm, int retries) {
      entries++;
      if (entries == 1) {
        firstNanos = System.nanoTime();
      }
      if (entries == ENTRIES) {
        took.complete(Duration.ofNanos(System.nanoTime() - firstNanos));
      }
      request.run();
    }

    @Override
    public void poolWait(Duration wait) {}
  }
}
