package dev.chatflow.consumer.audit;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.AuditConsumer;
import dev.chatflow.consumer.ConsumerMeter;
import dev.chatflow.room.Shard;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Every meter of the standalone consumer. Any thread. */
final class AuditMeters implements ConsumerMeter, AutoCloseable {

  private static final Duration[] LAG_BUCKETS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final LongAdder consumed = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final LongAdder poison = new LongAdder();
  private final AtomicInteger unacked = new AtomicInteger();
  private final Timer lag;

  AuditMeters() {
    lag =
        Timer.builder("chatflow.audit.lag")
            .description("from the acceptance of an AMQP message's oldest line to its record")
            .serviceLevelObjectives(LAG_BUCKETS)
            .register(registry);
    counter("chatflow.audit.messages", "chat messages recorded", consumed, LongAdder::sum);
    counter(
        "chatflow.audit.duplicates.dropped",
        "AMQP messages that had been recorded before",
        duplicates,
        LongAdder::sum);
    counter("chatflow.audit.gaps", "times messages may be missing", gaps, LongAdder::sum);
    counter(
        "chatflow.audit.poison",
        "lines nobody can decode, sent to the dead letters",
        poison,
        LongAdder::sum);
    gauge("chatflow.audit.unacked", "AMQP messages not acknowledged yet", unacked, i -> i.get());
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /** Shows what the records hold. */
  void show(Statistics statistics) {
    gauge(
        "chatflow.audit.records", "messages that can be read", statistics, s -> s.totals().kept());
    gauge("chatflow.audit.records.bytes", "what they cost", statistics, s -> s.totals().bytes());
    counter(
        "chatflow.audit.records.dropped",
        "messages that had to go, the oldest first",
        statistics,
        s -> s.totals().dropped());
    counter(
        "chatflow.audit.uncounted",
        "messages of senders beyond the bound",
        statistics,
        s -> s.totals().uncounted());
    gauge("chatflow.audit.senders", "pairs of room and sender", statistics, s -> s.senderCount());
    gauge("chatflow.audit.rooms", "rooms", statistics, s -> s.roomCount());
  }

  /** Shows the queues and the connection. */
  void show(AuditConsumer consumer, BrokerConnector connector) {
    for (int i = 0; i < consumer.queues().size(); i++) {
      int queue = i;
      Gauge.builder("chatflow.audit.queue.messages", consumer, c -> c.queues().get(queue).depth())
          .description("AMQP messages waiting in a queue")
          .tag("queue", consumer.queues().get(queue).name())
          .strongReference(true)
          .register(registry);
    }
    gauge(
        "chatflow.audit.broker.up",
        "1 while all queues are read",
        consumer,
        c -> c.isReady() ? 1 : 0);
    counter(
        "chatflow.audit.broker.reconnects",
        "connections made again",
        connector,
        BrokerConnector::reconnects);
  }

  private <T> void counter(String name, String meaning, T source, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, source, value).description(meaning).register(registry);
  }

  private <T> void gauge(String name, String meaning, T source, ToDoubleFunction<T> value) {
    Gauge.builder(name, source, value)
        .tags(Tags.empty())
        .description(meaning)
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void lag(Duration publishToHandOff, int messages) {}

  @Override
  public void append(Duration handOffToAppend) {}

  @Override
  public void endToEnd(Duration acceptToAppend, int messages) {
    lag.record(acceptToAppend);
  }

  @Override
  public void consumed(int messages, boolean own) {
    consumed.add(messages);
  }

  @Override
  public void duplicate(Duplicate kind) {
    duplicates.increment();
  }

  @Override
  public void gap(Shard shard) {
    gaps.increment();
  }

  @Override
  public void poison() {
    poison.increment();
  }

  @Override
  public void unacked(int change) {
    unacked.addAndGet(change);
  }

  long duplicatesDropped() {
    return duplicates.sum();
  }

  long poisonCount() {
    return poison.sum();
  }

  /** The greatest lag of the last minutes, in ms. */
  double maxLagMillis() {
    return lag.max(TimeUnit.MILLISECONDS);
  }

  String scrape(@Nullable String accept) {
    return registry.scrape(contentType(accept));
  }

  /** The content type of {@link #scrape} for a request's Accept header. */
  static String contentType(@Nullable String accept) {
    return accept != null && accept.contains("application/openmetrics-text")
        ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
        : "text/plain; version=0.0.4; charset=utf-8";
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
