package dev.chatflow.standalone;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.http.Status;
import dev.chatflow.standalone.record.Records;
import dev.chatflow.standalone.record.Statistics;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the standalone consumer is: {@code GET /health}. The field names of its records are those of
 * the answer. Any thread.
 */
final class Health {

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
      List<RecordingDuty.QueueState> queues,
      long recorded,
      long uncounted,
      long dropped,
      long duplicatesDropped,
      long poison,
      double maxLagMillis,
      List<Gap> gaps) {}

  private final String version;
  private final BrokerConnector connector;
  private final ConsumerThreads threads;
  private final List<RecordingDuty> queues;
  private final Statistics statistics;
  private final StandaloneMeters meters;
  private final long startedNanos = System.nanoTime();
  private volatile boolean draining;

  Health(
      String version,
      BrokerConnector connector,
      ConsumerThreads threads,
      List<RecordingDuty> queues,
      Statistics statistics,
      StandaloneMeters meters) {
    this.version = version;
    this.connector = connector;
    this.threads = threads;
    this.queues = queues;
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
    if (threads.isReady() && !stalls()) {
      return Status.UP;
    }
    boolean started = threads.started().isDone();
    return started ? Status.DEGRADED : Status.STARTING;
  }

  /** Whether messages wait and are not recorded. */
  boolean stalls() {
    long now = System.nanoTime();
    return queues.stream().anyMatch(queue -> queue.stalls(now));
  }

  View view() {
    Status status = status();
    Records.Totals totals = statistics.totals();
    return new View(
        status,
        version,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos),
        new Broker(
            connector.state(), connector.reconnects(), status == Status.UP ? null : trouble()),
        queues.stream().map(RecordingDuty::state).toList(),
        totals.recorded(),
        totals.uncounted(),
        totals.dropped(),
        meters.duplicatesDropped(),
        meters.poisonCount(),
        meters.maxLagMillis(),
        gaps());
  }

  private String trouble() {
    return stalls() ? "messages wait in a queue and none was read for 8 s" : connector.trouble();
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
