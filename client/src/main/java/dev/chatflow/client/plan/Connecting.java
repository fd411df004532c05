package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;

/**
 * The settings for connections and load threads.
 *
 * @param ratePerSecond new connections per second of the whole run
 * @param retries further attempts after the first failed one
 * @param timeout maximum wait for a connect with upgrade, a JOIN and a LEAVE
 * @param poolSize maximum open connections; {@link #ALL} without a limit
 * @param http whether texts are posted over HTTP instead of WebSocket
 * @param history past frames that each JOIN requests
 */
public record Connecting(
    int threads,
    double ratePerSecond,
    int retries,
    Duration backoffMin,
    Duration backoffMax,
    Duration timeout,
    int poolSize,
    boolean http,
    int history) {

  /** All connections are open at once. */
  public static final int ALL = 0;

  /** The default connect rate. */
  public static final int DEFAULT_PER_SECOND = 500;

  public static final int DEFAULT_RETRIES = 5;
  public static final int DEFAULT_BACKOFF_MIN_MILLIS = 50;
  public static final int MAX_THREADS = 1024;
  public static final int DEFAULT_BACKOFF_MAX_SECONDS = 2;
  public static final int DEFAULT_TIMEOUT_SECONDS = 10;

  public Connecting {
    CommandFailure.requireRange("--threads", threads, 1, MAX_THREADS);
    CommandFailure.requireRange("--pool-size", poolSize, 0, Integer.MAX_VALUE);
    CommandFailure.requireRange("--retries", retries, 0, 1000);
    CommandFailure.requireRange("--history", history, 0, 100);
    if (!(ratePerSecond > 0)) {
      throw CommandFailure.usage("--connect-rate must be above 0, found " + ratePerSecond);
    }
    if (backoffMin.isNegative() || backoffMin.compareTo(backoffMax) > 0) {
      throw CommandFailure.usage(
          "--backoff must be MIN..MAX, found " + backoffMin + ".." + backoffMax);
    }
    if (!timeout.isPositive()) {
      throw CommandFailure.usage("--timeout must be above 0, found " + timeout);
    }
  }

  /** Returns settings for one load thread over WebSocket, otherwise with defaults. */
  public static Connecting oneThread() {
    return new Connecting(
        1,
        DEFAULT_PER_SECOND,
        DEFAULT_RETRIES,
        Duration.ofMillis(DEFAULT_BACKOFF_MIN_MILLIS),
        Duration.ofSeconds(DEFAULT_BACKOFF_MAX_SECONDS),
        Duration.ofSeconds(DEFAULT_TIMEOUT_SECONDS),
        ALL,
        false,
        0);
  }

  /**
   * Returns the pause before attempt {@code attempt} (1 = first retry), which doubles up to the
   * maximum; half of it is jitter.
   */
  public long backoffNanos(int attempt, double jitter) {
    double ceiling =
        Math.min(
            (double) backoffMax.toNanos(),
            backoffMin.toNanos() * Math.pow(2, Math.max(0, attempt - 1)));
    return (long) (ceiling * (0.5 + 0.5 * jitter));
  }
}
