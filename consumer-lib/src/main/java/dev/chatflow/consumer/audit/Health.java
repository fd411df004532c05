package dev.chatflow.consumer.audit;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.AuditConsumer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the standalone consumer is: {@code GET /health}. The field names of its records are those of
 * the answer. Any thread.
 */
final class Health {

  /** What it is doing. */
  enum Status {
    /** Has not read its queues yet. */
    STARTING,
    UP,
    /** The broker, or a queue, is away. */
    DEGRADED,
    DRAINING
  }

  /** The connection; {@code trouble} while there is one. */
  record Broker(BrokerConnector.State state, int reconnects, @Nullable String trouble) {}

  /** Gaps of one shard. */
  record Gap(int shard, long count, String last) {}

  /** The answer. */
  record View(
      Status status,
      String version,
      long uptimeSeconds,
      Broker broker,
      List<AuditConsumer.QueueState> queues,
      long recorded,
      long uncounted,
      long dropped,
      long duplicatesDropped,
      long poison,
      double maxLagMillis,
      List<Gap> gaps) {}

  private final String version;
  private final BrokerConnector connector;
  private final AuditConsumer consumer;
  private final Statistics statistics;
  private final AuditMeters meters;
  private final long startedNanos = System.nanoTime();
  private volatile boolean draining;

  Health(
      String version,
      BrokerConnector connector,
      AuditConsumer consumer,
      Statistics statistics,
      AuditMeters meters) {
    this.version = version;
    this.connector = connector;
    this.consumer = consumer;
    this.statistics = statistics;
    this.meters = meters;
  }

  void draining() {
    draining = true;
  }

  Status status() {
    if (draining) {
      return Status.DRAINING;
    }
    if (consumer.isReady()) {
      return Status.UP;
    }
    boolean started = consumer.started().isDone();
    return started ? Status.DEGRADED : Status.STARTING;
  }

  /** Whether it answers for what is recorded; without its broker too. */
  boolean isUsable() {
    Status status = status();
    return status == Status.UP || status == Status.DEGRADED;
  }

  View view() {
    Status status = status();
    Records.Totals totals = statistics.totals();
    return new View(
        status,
        version,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos),
        new Broker(
            connector.state(),
            connector.reconnects(),
            status == Status.UP ? null : connector.trouble()),
        consumer.queues(),
        totals.recorded(),
        totals.uncounted(),
        totals.dropped(),
        meters.duplicatesDropped(),
        meters.poisonCount(),
        meters.maxLagMillis(),
        gaps());
  }

  private List<Gap> gaps() {
    return statistics.gaps().entrySet().stream()
        .map(e ->
            new Gap(
                e.getKey(),
                e.getValue().count(),
                Instant.ofEpochMilli(e.getValue().lastMillis()).toString()))
        .toList();
  }
}
