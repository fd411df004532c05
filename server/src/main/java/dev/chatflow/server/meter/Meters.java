package dev.chatflow.server.meter;

import dev.chatflow.consumer.ConsumerMeter;
import dev.chatflow.room.Shard;
import dev.chatflow.server.edge.EdgeMeter;
import dev.chatflow.server.http.PostMeter;
import dev.chatflow.server.publish.PublishMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Every meter of a server: name, unit and meaning in one place.
 *
 * <p>Counts are added by any thread, without a lock. Times are histograms with fixed buckets,
 * because percentiles of several servers do not add up.
 */
public final class Meters
    implements ConsumerMeter, PublishMeter, EdgeMeter, PostMeter, AutoCloseable {

  /** Bucket bounds of all times, from a fraction of a round to a stall. */
  private static final Duration[] BUCKETS =
      java.util.stream.DoubleStream.of(
              0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
          .mapToObj(millis -> Duration.ofNanos((long) (millis * 1e6)))
          .toArray(Duration[]::new);

  /** Ours and the container's; a client may send any, which must not make a series each. */
  private static final Set<Integer> KNOWN_CODES =
      Set.of(1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011, 1013, 4008, 4009, 4010);

  private static final double[] FLIGHT_BUCKETS = {1, 2, 5, 10, 20, 50, 100, 200, 500};

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  private final LongAdder accepted = new LongAdder();
  private final LongAdder published = new LongAdder();
  private final LongAdder consumed = new LongAdder();
  private final LongAdder poison = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder writesTimedOut = new LongAdder();
  private final AtomicInteger unacked = new AtomicInteger();
  private final Map<Duplicate, LongAdder> duplicates = new EnumMap<>(Duplicate.class);
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();

  private final Timer lag;
  private final Timer endToEnd;
  private final Timer confirm;
  private final Timer poolWait;
  private final Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
  private final DistributionSummary flightMessages;

  /** The parts of a message's way whose times add up to what a user waits. */
  private enum Stage {
    ACCEPT,
    LANE,
    CONFIRM,
    BROKER,
    APPEND,
    WRITE
  }

  /** Makes the meters of one server; {@code serverId} is a label of each. */
  public Meters(String serverId) {
    registry.config().commonTags("server.id", serverId);
    lag = timer("chatflow.consumer.lag", "own flights, from publish to hand-off");
    endToEnd = timer("chatflow.e2e", "own messages, from acceptance to the room's log");
    confirm = timer("chatflow.confirm", "from the last publish of a flight to its confirm");
    poolWait = timer("chatflow.pool.wait", "wait for a channel of the pool");
    flightMessages =
        DistributionSummary.builder("chatflow.flight.messages")
            .description("chat messages in one AMQP message")
            .serviceLevelObjectives(FLIGHT_BUCKETS)
            .register(registry);
    for (Stage stage : Stage.values()) {
      stages.put(stage, stageTimer(stage));
    }
    bindCounts();
    bindJvm();
  }

  private Timer stageTimer(Stage stage) {
    return Timer.builder("chatflow.stage")
        .description("parts of a message's way; accept and write are sampled")
        .tag("stage", stage.name().toLowerCase(Locale.ROOT))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private void record(Stage stage, Duration took) {
    Timer timer = stages.get(stage);
    if (timer != null) {
      timer.record(took);
    }
  }

  private Timer timer(String name, String meaning) {
    return Timer.builder(name)
        .description(meaning)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private void bindCounts() {
    String messages = "chatflow.messages";
    String meaning = "chat messages by direction and peer";
    count(messages, meaning, Tags.of("direction", "in", "peer", "client"), accepted);
    count(messages, meaning, Tags.of("direction", "out", "peer", "broker"), published);
    counter(
        messages,
        meaning,
        Tags.of("direction", "in", "peer", "broker"),
        this,
        Meters::messagesConsumed);
    count(
        "chatflow.poison",
        "lines nobody can decode, sent to the dead letters",
        Tags.empty(),
        poison);
    count("chatflow.gaps", "times messages of a shard may be missing", Tags.empty(), gaps);
    count("chatflow.flight.retries", "flights sent again", Tags.empty(), retries);
    count(
        "chatflow.slow.closed",
        "members closed for falling behind",
        Tags.of("reason", "write timeout"),
        writesTimedOut);
    for (Duplicate kind : Duplicate.values()) {
      LongAdder adder = new LongAdder();
      duplicates.put(kind, adder);
      String name = kind.name().toLowerCase(Locale.ROOT);
      count(
          "chatflow.duplicates.dropped", "what was not shown again", Tags.of("kind", name), adder);
    }
    gauge(
        "chatflow.consumer.unacked",
        "AMQP messages not acknowledged yet",
        unacked,
        AtomicInteger::get);
  }

  private void bindJvm() {
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new JvmInfoMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  private void count(String name, String meaning, Tags tags, LongAdder adder) {
    counter(name, meaning, tags, adder, LongAdder::sum);
  }

  /** A count kept by somebody else. */
  public <T> void counter(
      String name, String meaning, Tags tags, T source, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, source, value).tags(tags).description(meaning).register(registry);
  }

  /** A present value kept by somebody else. */
  public <T> void gauge(String name, String meaning, T source, ToDoubleFunction<T> value) {
    gauge(name, meaning, Tags.empty(), source, value);
  }

  /** A present value kept by somebody else, with labels. */
  public <T> void gauge(
      String name, String meaning, Tags tags, T source, ToDoubleFunction<T> value) {
    Gauge.builder(name, source, value)
        .tags(tags)
        .description(meaning)
        .strongReference(true)
        .register(registry);
  }

  // --- edge

  @Override
  public void accepted() {
    accepted.increment();
  }

  @Override
  public void acceptTook(Duration frameToLane) {
    record(Stage.ACCEPT, frameToLane);
  }

  @Override
  public void writeTook(Duration write) {
    record(Stage.WRITE, write);
  }

  @Override
  public void writeTimedOut() {
    writesTimedOut.increment();
  }

  /** Members closed as slow by the container's timeout; the rooms count the others. */
  public long writesTimedOut() {
    return writesTimedOut.sum();
  }

  @Override
  public void refused(String errorCode) {
    refused.computeIfAbsent(errorCode, this::refusedCounter).increment();
  }

  private LongAdder refusedCounter(String errorCode) {
    LongAdder adder = new LongAdder();
    count("chatflow.refused", "messages answered with an error", Tags.of("code", errorCode), adder);
    return adder;
  }

  @Override
  public void closed(int code) {
    Counter.builder("chatflow.connections.closed")
        .description("connections that ended, by close code")
        .tag("code", KNOWN_CODES.contains(code) ? Integer.toString(code) : "other")
        .register(registry)
        .increment();
  }

  @Override
  public void connectionRefused(String reason) {
    Counter.builder("chatflow.connections.refused")
        .description("connections not let in")
        .tag("reason", reason)
        .register(registry)
        .increment();
  }

  // --- HTTP publishes

  @Override
  public void answered(int status, Duration took) {
    Timer.builder("chatflow.http.posts")
        .description("messages published over HTTP, from request to answer")
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(took);
  }

  // --- publish

  @Override
  public void flight(int messages, Duration confirmTime, int again) {
    retries.add(again);
    if (messages > 0) {
      published.add(messages);
      flightMessages.record(messages);
      confirm.record(confirmTime);
      record(Stage.CONFIRM, confirmTime);
    }
  }

  @Override
  public void laneWait(Duration acceptToPublish) {
    record(Stage.LANE, acceptToPublish);
  }

  @Override
  public void poolWait(Duration wait) {
    poolWait.record(wait);
  }

  // --- consume

  @Override
  public void lag(Duration publishToHandOff, int messages) {
    lag.record(publishToHandOff);
    record(Stage.BROKER, publishToHandOff);
  }

  @Override
  public void append(Duration handOffToAppend) {
    record(Stage.APPEND, handOffToAppend);
  }

  @Override
  public void endToEnd(Duration acceptToAppend, int messages) {
    endToEnd.record(acceptToAppend);
  }

  @Override
  public void consumed(int messages, boolean own) {
    consumed.add(messages);
  }

  @Override
  public void duplicate(Duplicate kind) {
    LongAdder adder = duplicates.get(kind);
    if (adder != null) {
      adder.increment();
    }
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

  // --- what statistics show

  public long messagesIn() {
    return accepted.sum();
  }

  public long messagesPublished() {
    return published.sum();
  }

  public long messagesConsumed() {
    return consumed.sum();
  }

  public long gaps() {
    return gaps.sum();
  }

  public long duplicatesDropped() {
    return duplicates.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Answers with an error so far, by error code. */
  public Map<String, Long> refusedByCode() {
    Map<String, Long> counts = new TreeMap<>();
    refused.forEach((code, adder) -> counts.put(code, adder.sum()));
    return counts;
  }

  /**
   * All meters as text.
   *
   * @param accept the request's Accept header; decides between Prometheus text and OpenMetrics
   */
  public String scrape(@Nullable String accept) {
    return registry.scrape(contentType(accept));
  }

  /** The content type of {@link #scrape}. */
  public static String contentType(@Nullable String accept) {
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
