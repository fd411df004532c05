package dev.chatflow.client.observe;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** What is seen of a broker during a run. Depth and rates are sampled by one thread each. */
public interface BrokerView extends AutoCloseable {
  Duration DEPTH_PERIOD = Duration.ofMillis(250);
  Duration RATES_PERIOD = Duration.ofSeconds(5);

  /**
   * Looks at RabbitMQ itself, or at the embedded broker by its server.
   *
   * @param seconds since the run's origin
   * @param complaints is told what could not be seen
   * @throws dev.chatflow.client.CommandFailure when it cannot be asked: better before a run than in
   *     it
   */
  static BrokerView of(
      BrokerTarget target,
      @Nullable SSLContext certificates,
      DoubleSupplier seconds,
      Consumer<String> complaints)
      throws InterruptedException {
    return target.address().metrics() == null
        ? new BrokerWatch(target, certificates, seconds, complaints)
        : new LaneWatch(target.address().metrics(), certificates, seconds, complaints);
  }

  /** One sample of the depth; a gap when there was no answer. */
  void sampleDepth() throws InterruptedException;

  /** One sample of the rates; a gap when there was no answer. */
  void sampleRates() throws InterruptedException;

  /** Waits until nothing is queued, at most so long; what is left, negative: unknown. */
  long settle(Duration patience) throws InterruptedException;

  /** Any thread. */
  OptionalDouble lastDepth();

  BrokerFigures figures(long left);

  @Override
  void close();
}
