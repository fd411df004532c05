package dev.chatflow.client.observe;

import dev.chatflow.client.record.Samples;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Observes a broker during a run as time series, with gaps where it did not answer.
 *
 * <p>One thread samples the depth, another the rates.
 */
public abstract class BrokerView implements AutoCloseable {
  static final Duration DEPTH_PERIOD = Duration.ofMillis(250);
  static final Duration RATES_PERIOD = Duration.ofSeconds(5);

  /** The columns of a sample of the rates. */
  private static final String[] RATES = {
    "publishPerSecond", "deliverPerSecond", "ackPerSecond", "ready", "unacked", "blocked"
  };

  private final DoubleSupplier seconds;
  private final Consumer<String> complaints;
  private final Samples depth = new Samples("ready");
  private final Samples rates = new Samples(RATES);
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param seconds since the run's origin
   * @param complaints receives failed observations
   */
  BrokerView(DoubleSupplier seconds, Consumer<String> complaints) {
    this.seconds = seconds;
    this.complaints = complaints;
  }

  /**
   * Creates a view of RabbitMQ, or of the embedded broker through its server.
   *
   * @param seconds since the run's origin
   * @param complaints receives failed observations
   * @throws dev.chatflow.client.CommandFailure before the run, if the broker cannot be observed
   */
  public static BrokerView of(
      Observing.Broker broker,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints)
      throws InterruptedException {
    return broker.address().metrics() == null
        ? new BrokerWatch(broker, certificates, seconds, complaints)
        : new LaneWatch(broker.address().metrics(), certificates, seconds, complaints);
  }

  /** Returns the number of ready messages. */
  abstract double ready() throws IOException, InterruptedException;

  /** Returns a sample of the rates in the order of {@link #RATES}; NaN if unknown. */
  abstract double[] ratesAt(double seconds) throws IOException, InterruptedException;

  /** Adds a sample of the depth; a gap without an answer. */
  public final void sampleDepth() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      depth.add(at, ready());
    } catch (IOException | RuntimeException e) {
      depth.gap(at);
      complaints.accept("broker depth: " + Reason.of(e));
    }
  }

  /** Adds a sample of the rates; a gap without an answer. */
  public final void sampleRates() throws InterruptedException {
    double at = seconds.getAsDouble();
    try {
      rates.add(at, ratesAt(at));
    } catch (IOException | RuntimeException e) {
      rates.gap(at);
      complaints.accept("broker rates: " + Reason.of(e));
    }
  }

  /** Returns the last depth. Any thread. */
  public final OptionalDouble lastDepth() {
    return depth.statistic("ready", "last");
  }

  /** Returns the number of ready messages; NaN without an answer. */
  private double left() throws InterruptedException {
    sampleDepth();
    double[] ready = depth.column("ready");
    return ready[ready.length - 1];
  }

  /**
   * Waits until the queues are empty, up to {@code patience}; returns the rest, negative if
   * unknown.
   */
  public long settle(Duration patience) throws InterruptedException {
    sampleRates();
    double end = seconds.getAsDouble() + patience.toNanos() / 1e9;
    double left = left();
    while (left > 0 && seconds.getAsDouble() < end && waited(DEPTH_PERIOD)) {
      left = left();
    }
    return Double.isNaN(left) ? -1 : (long) left;
  }

  /** Samples the rates once a second until they show traffic, up to {@code patience}. */
  final void awaitTraffic(Duration patience) throws InterruptedException {
    double end = seconds.getAsDouble() + patience.toSeconds();
    sampleRates();
    while (rates.statistic("publishPerSecond", "max").orElse(0) <= 0
        && seconds.getAsDouble() < end
        && waited(Duration.ofSeconds(1))) {
      sampleRates();
    }
  }

  /** Waits; returns false if the view was closed. */
  private boolean waited(Duration time) throws InterruptedException {
    return !closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  public abstract BrokerFigures figures(long left);

  final Samples depth() {
    return depth;
  }

  final Samples rates() {
    return rates;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
