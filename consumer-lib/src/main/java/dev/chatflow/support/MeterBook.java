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
 * The meters of one process, the JVM's own among them, and their text.
 *
 * <p>Any thread. What is registered is held until {@link #close}.
 */
public final class MeterBook implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  /** A book whose meters all carry these labels. */
  public MeterBook(Tags common) {
    registry.config().commonTags(common);
  }

  /** Registers the JVM's meters: memory, collections, threads, CPU and uptime, and more. */
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

  /** A count kept by somebody else. */
  public <T> void counter(
      String name, String meaning, Tags tags, T source, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, source, value).tags(tags).description(meaning).register(registry);
  }

  /** The same without labels. */
  public <T> void counter(String name, String meaning, T source, ToDoubleFunction<T> value) {
    counter(name, meaning, Tags.empty(), source, value);
  }

  /** A new count without labels. */
  public LongAdder count(String name, String meaning) {
    return count(name, meaning, Tags.empty());
  }

  /** A new count. */
  public LongAdder count(String name, String meaning, Tags tags) {
    LongAdder adder = new LongAdder();
    counter(name, meaning, tags, adder, LongAdder::sum);
    return adder;
  }

  /** The count of that name and labels, made when it is first asked for. */
  public Counter counterOf(String name, String meaning, Tags tags) {
    return Counter.builder(name).description(meaning).tags(tags).register(registry);
  }

  /** A present value kept by somebody else. */
  public <T> void gauge(
      String name, String meaning, Tags tags, T source, ToDoubleFunction<T> value) {
    Gauge.builder(name, source, value)
        .tags(tags)
        .description(meaning)
        .strongReference(true)
        .register(registry);
  }

  /** The same without labels. */
  public <T> void gauge(String name, String meaning, T source, ToDoubleFunction<T> value) {
    gauge(name, meaning, Tags.empty(), source, value);
  }

  /** The histogram of times of that name without labels. */
  public Timer timer(String name, String meaning, Duration... buckets) {
    return timer(name, meaning, Tags.empty(), buckets);
  }

  /** The histogram of times of that name and labels, made when it is first asked for. */
  public Timer timer(String name, String meaning, Tags tags, Duration... buckets) {
    return Timer.builder(name)
        .description(meaning)
        .tags(tags)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  /**
   * The present values of a name, by those of one of its labels.
   *
   * @param label that all meters of the name have
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

  /** The present value of a name, of all its meters together. */
  public double sum(String name) {
    return registry.find(name).meters().stream().mapToDouble(MeterBook::value).sum();
  }

  private static double value(Meter meter) {
    return meter.measure().iterator().next().getValue();
  }

  /** For kinds of meters that are not named here. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /**
   * All meters as text.
   *
   * @param accept the request's Accept header; decides between Prometheus text and OpenMetrics
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
