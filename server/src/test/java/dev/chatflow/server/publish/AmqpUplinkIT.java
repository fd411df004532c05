package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.Lane;
import dev.chatflow.broker.Nodes;
import dev.chatflow.broker.Topology;
import dev.chatflow.broker.testing.BrokerTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.log.ServerStatistics;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Entries over pooled channels of a real broker. */
class AmqpUplinkIT {

  private static final ServerStatistics STATISTICS = new ServerStatistics(1, 2, 3, 4, "5.6.7");
  private static final Shard WITHOUT_LOG = new Shard(0);
  private static final Shard WITH_LOG = new Shard(1);

  /** A return is reported by the connection's own thread, which also delivers the channel's end. */
  @BrokerTest
  void laneThatWaitsForTheChannelOfAReturnedEntryGetsAnotherAtOnce(TestBroker broker)
      throws Exception {
    try (BrokerConnector connector =
            new BrokerConnector(broker.config(), "publisher", "chatflow test uplink");
        AmqpUplink uplink = uplink(connector)) {
      connector.start();
      await().until(uplink::isOpen);
      try (var connection = broker.connect()) {
        Topology.declareShared(connection, 4, Nodes.ONE);
        Topology.declareLog(connection, WITH_LOG, Nodes.ONE);
      }
      for (int i = 1; i <= 20; i++) {
        CompletableFuture<Confirm> returned = new CompletableFuture<>();
        CompletableFuture<Confirm> acked = new CompletableFuture<>();
        int number = i;
        uplink.send(beacon(WITHOUT_LOG, number), returned::complete);
        Thread other =
            Thread.startVirtualThread(() -> {
              Uplink.Attempt _ = uplink.send(beacon(WITH_LOG, number), acked::complete);
            });
        assertThat(returned.get(5, TimeUnit.SECONDS)).isNotInstanceOf(Confirm.Acked.class);
        assertThat(acked.get(5, TimeUnit.SECONDS)).isInstanceOf(Confirm.Acked.class);
        other.join();
      }
    }
  }

  private static AmqpUplink uplink(BrokerConnector connector) {
    return new AmqpUplink(
        connector,
        new AmqpUplink.Channels(1, 1, Duration.ofSeconds(30), _ -> {}),
        System::currentTimeMillis,
        new StatisticsSchedule(Shard.DEFAULT_COUNT, () -> STATISTICS, System.nanoTime()));
  }

  private static LaneEntry beacon(Shard shard, long number) {
    Lane lane = new Lane("it", 1, shard.index());
    return new LaneEntry(
        lane, number, 0, 1_000, PresenceHeaders.NONE, new byte[0], 0, null, null, 0, List.of());
  }
}
