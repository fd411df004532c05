package dev.chatflow.client.cli;

import dev.chatflow.client.plan.Connecting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for connections and threads. Filled by picocli, then read once. */
final class ConnectionOptions {
  @Option(
      names = {"-t", "--threads", "--numThreads"},
      paramLabel = "N",
      description =
          "load threads, 1..1024 [default: cores, at most 8]; concurrent users with the presets"
              + " warmup-a1 and skier-3phase")
  private @Nullable Integer threads;

  @Option(
      names = {"-p", "--pool-size"},
      paramLabel = "N",
      defaultValue = "0",
      description = "maximum open connections; users take turns [default: all]")
  private int poolSize;

  @Option(
      names = "--connect-rate",
      paramLabel = "RATE",
      defaultValue = "" + Connecting.DEFAULT_PER_SECOND,
      description = "connections per second [default: ${DEFAULT-VALUE}]")
  private double connectRate = Connecting.DEFAULT_PER_SECOND;

  @Option(
      names = "--ramp-up",
      paramLabel = "DUR",
      description = "time over which to open all connections, instead of a rate")
  private @Nullable Duration rampUp;

  @Option(
      names = "--retries",
      paramLabel = "N",
      defaultValue = "" + Connecting.DEFAULT_RETRIES,
      description = "maximum further attempts to connect [default: ${DEFAULT-VALUE}]")
  private int retries = Connecting.DEFAULT_RETRIES;

  @Option(
      names = "--backoff",
      paramLabel = "MIN..MAX",
      defaultValue =
          Connecting.DEFAULT_BACKOFF_MIN_MILLIS
              + "ms.."
              + Connecting.DEFAULT_BACKOFF_MAX_SECONDS
              + "s",
      description = "pause between attempts, doubling with jitter [default: ${DEFAULT-VALUE}]")
  private Values.Range backoff =
      new Values.Range(
          Duration.ofMillis(Connecting.DEFAULT_BACKOFF_MIN_MILLIS),
          Duration.ofSeconds(Connecting.DEFAULT_BACKOFF_MAX_SECONDS));

  @Option(
      names = "--timeout",
      paramLabel = "DUR",
      defaultValue = Connecting.DEFAULT_TIMEOUT_SECONDS + "s",
      description =
          "maximum wait for connect, JOIN, LEAVE and, in the closed model, the echo [default:"
              + " ${DEFAULT-VALUE}]")
  private Duration timeout = Duration.ofSeconds(Connecting.DEFAULT_TIMEOUT_SECONDS);

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "nio sends over WebSocket; http sends one POST per TEXT, and room-size WebSocket"
              + " listeners per room check the deliveries [default: nio; preset skier-3phase:"
              + " http]")
  private @Nullable Transport transport;

  @Option(
      names = "--history",
      paramLabel = "N",
      defaultValue = "0",
      description = "request the last N frames of the room with each JOIN, 0..100 [default: 0]")
  private int history;

  /** The transport of texts. */
  enum Transport {
    NIO,
    HTTP
  }

  /**
   * Returns whether texts are posted.
   *
   * @param byDefault the result without the option
   */
  boolean http(boolean byDefault) {
    return transport == null ? byDefault : transport == Transport.HTTP;
  }

  /** Returns the given number of threads; 0 without the option. */
  int threads() {
    return threads == null ? 0 : threads;
  }

  /**
   * Returns the settings for connecting {@code users} users.
   *
   * @param threadsAreUsers whether the option for threads counts users
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
