package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Connecting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How connections are opened, and by how many threads. Filled by picocli, then read once. */
final class ConnectionOptions {
  @Option(
      names = {"-t", "--threads", "--numThreads"},
      description =
          "load threads, 1..1024 (default: cores, at most 8); with the presets warmup-a1 and"
              + " skier-3phase concurrent users")
  private @Nullable Integer threads;

  @Option(
      names = {"-p", "--pool-size"},
      defaultValue = "0",
      description = "connections open at once: users take turns (default: all)")
  private int poolSize;

  @Option(
      names = "--connect-rate",
      defaultValue = "" + Connecting.DEFAULT_PER_SECOND,
      description = "connections per second (default ${DEFAULT-VALUE})")
  private double connectRate = Connecting.DEFAULT_PER_SECOND;

  @Option(names = "--ramp-up", description = "spread the connects over this time instead")
  private @Nullable Duration rampUp;

  @Option(
      names = "--retries",
      defaultValue = "" + Connecting.DEFAULT_RETRIES,
      description = "further attempts to connect (default ${DEFAULT-VALUE})")
  private int retries = Connecting.DEFAULT_RETRIES;

  @Option(
      names = "--backoff",
      defaultValue =
          Connecting.DEFAULT_BACKOFF_MIN_MILLIS
              + "ms.."
              + Connecting.DEFAULT_BACKOFF_MAX_SECONDS
              + "s",
      description = "pause between attempts, doubling with jitter (default ${DEFAULT-VALUE})")
  private Values.Range backoff =
      new Values.Range(
          Duration.ofMillis(Connecting.DEFAULT_BACKOFF_MIN_MILLIS),
          Duration.ofSeconds(Connecting.DEFAULT_BACKOFF_MAX_SECONDS));

  @Option(
      names = "--timeout",
      defaultValue = Connecting.DEFAULT_TIMEOUT_SECONDS + "s",
      description =
          "bound of connect, JOIN, LEAVE and a closed-model echo (default ${DEFAULT-VALUE})")
  private Duration timeout = Duration.ofSeconds(Connecting.DEFAULT_TIMEOUT_SECONDS);

  @Option(
      names = "--transport",
      description =
          "nio (WebSocket) or http: one POST per TEXT, room-size WebSocket listeners per room check"
              + " the deliveries (default nio; preset skier-3phase: http)")
  private @Nullable Transport transport;

  @Option(
      names = "--history",
      paramLabel = "N",
      defaultValue = "0",
      description = "each JOIN asks for the last N frames of its room, 0..100 (default: none)")
  private int history;

  /** What carries the texts. */
  enum Transport {
    NIO,
    HTTP
  }

  /**
   * Whether texts are posted.
   *
   * @param byDefault what holds when the option is not given
   */
  boolean http(boolean byDefault) {
    return transport == null ? byDefault : transport == Transport.HTTP;
  }

  /** What the option for threads says; 0 when it is not given. */
  int threads() {
    return threads == null ? 0 : threads;
  }

  /**
   * How so many users connect.
   *
   * @param threadsAreUsers whether the option for threads means something else
   */
  Connecting connecting(int users, boolean threadsAreUsers, boolean http) {
    int loadThreads =
        threads == null || threadsAreUsers
            ? Math.min(Runtime.getRuntime().availableProcessors(), 8)
            : threads;
    double perSecond = rampUp == null ? connectRate : users * 1e9 / Math.max(1, rampUp.toNanos());
    return new Connecting(
        loadThreads,
        perSecond,
        retries,
        backoff.min(),
        backoff.max(),
        timeout,
        poolSize,
        http,
        history);
  }
}
