package dev.chatflow.support;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a process, including the JVM's, and their text format.
 *
 * <p>Thread-safe. Registered objects are held until {@link #close}.
 */
public final class MeterBook implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  /** Creates a book whose meters all have these labels. */
  public MeterBook(Tags common) {
    registry.config().commonTags(common);
  }

  /** Registers the JVM's meters: memory, collections, threads, CPU, uptime, and others. */
  public void bindJvm(MeterBinder... more) {
    List.of(
            new JvmMemoryMetrics(),
            gc,
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            new UptimeMetrics())
        .forEach(meters -> meters.bindTo(registry));
    List.of(more).forEach(meters -> meters.bindTo(registry));
  }

  /** Registers a counter whose value another object keeps. */
  public <T> void counter(
      String name, String meaning, Tags tags, T source, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, source, value).tags(tags).description(meaning).register(registry);
  }

  /** Registers such a counter without labels. */
  public <T> void counter(String name, String meaning, T source, ToDoubleFunction<T> value) {
    counter(name, meaning, Tags.empty(), source, value);
  }

  /** Creates a counter without labels. */
  public LongAdder count(String name, String meaning) {
    return count(name, meaning, Tags.empty());
  }

  /** Creates a counter. */
  public LongAdder count(String name, String meaning, Tags tags) {
    LongAdder adder = new LongAdder();
    counter(name, meaning, tags, adder, LongAdder::sum);
    return adder;
  }

  /** Returns the counter with that name and labels, created on first use. */
  public Counter counterOf(String name, String meaning, Tags tags) {
    return Counter.builder(name).description(meaning).tags(tags).register(registry);
  }

  /** Registers a gauge whose value another object keeps. */
  public <T> void gauge(
      String name, String meaning, Tags tags, T source, ToDoubleFunction<T> value) {
    Gauge.builder(name, source, value)
        .tags(tags)
        .description(meaning)
        .strongReference(true)
        .register(registry);
  }

  /** Registers such a gauge without labels. */
  public <T> void gauge(String name, String meaning, T source, ToDoubleFunction<T> value) {
    gauge(name, meaning, Tags.empty(), source, value);
  }

  /** Creates a histogram of times without labels. */
  public Timer timer(String name, String meaning, Duration... buckets) {
    return timer(name, meaning, Tags.empty(), buckets);
  }

  /** Returns the histogram of times with that name and labels, created on first use. */
  public Timer timer(String name, String meaning, Tags tags, Duration... buckets) {
    return Timer.builder(name)
        .description(meaning)
        .tags(tags)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  /**
   * Returns the current values of a meter by the values of one of its labels.
   *
   * @param label a label that all meters of the name have
   */
  public Map<String, Long> by(String name, String label) {
    Map<String, Long> values = new TreeMap<>();
    registry
        .find(name)
        .meters()
        .forEach(meter ->
            values.merge(
                String.valueOf(meter.getId().getTag(label)), (long) value(meter), Long::sum));
    return values;
  }

  /** Returns the sum of all meters of a name. */
  public double sum(String name) {
    return registry.find(name).meters().stream().mapToDouble(MeterBook::value).sum();
  }

  private static double value(Meter meter) {
    return meter.measure().iterator().next().getValue();
  }

  /** Returns the registry, for other kinds of meters. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /**
   * Returns all meters as text.
   *
   * @param accept the request's Accept header, which selects Prometheus text or OpenMetrics
   */
  public Answer scrape(@Nullable String accept) {
    String type =
        accept != null && accept.contains("application/openmetrics-text")
            ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
            : "text/plain; version=0.0.4; charset=utf-8";
    return new Answer(HttpURLConnection.HTTP_OK, type, registry.scrape(type));
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
