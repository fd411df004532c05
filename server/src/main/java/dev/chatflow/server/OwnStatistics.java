package dev.chatflow.server;

import dev.chatflow.log.ServerStatistics;
import dev.chatflow.server.publish.Vitals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The statistics of this server, sampled by the timer's thread every {@link #EVERY}, readable by
 * any thread.
 */
final class OwnStatistics implements Runnable, Supplier<ServerStatistics> {

  static final Duration EVERY = Duration.ofSeconds(3);

  private static final int MOST = 999_999_999;

  private final Supplier<Vitals.Stats> stats;
  private final Supplier<Vitals.Hop> lag;
  private final String version;
  private final LongSupplier nanos;

  private volatile ServerStatistics last;

  // Used only by the timer's thread.
  private long lastNanos;
  private long lastMessages;
  private Vitals.Hop lastLag;

  /**
   * Creates the statistics of a starting server.
   *
   * @param lag mean lag of the server's entries
   * @param nanos a monotonic clock
   */
  OwnStatistics(
      Supplier<Vitals.Stats> stats, Supplier<Vitals.Hop> lag, String version, LongSupplier nanos) {
    this.stats = stats;
    this.lag = lag;
    this.version = version;
    this.nanos = nanos;
    this.last = new ServerStatistics(0, 0, 0, 0, version);
    this.lastNanos = nanos.getAsLong();
    this.lastLag = lag.get();
  }

  @Override
  public ServerStatistics get() {
    return last;
  }

  @Override
  public void run() {
    Vitals.Stats now = stats.get();
    Vitals.Hop lagNow = lag.get();
    long elapsed = Math.max(1, nanos.getAsLong() - lastNanos);
    long entries = Math.max(1, lagNow.count() - lastLag.count());
    double perNano = (now.messagesIn() - lastMessages) / (double) elapsed;
    double seconds = (lagNow.seconds() - lastLag.seconds()) / entries;
    last =
        new ServerStatistics(
            now.connections(),
            now.rooms(),
            bounded(perNano * TimeUnit.SECONDS.toNanos(1)),
            bounded(seconds * TimeUnit.SECONDS.toMillis(1)),
            version);
    lastNanos += elapsed;
    lastMessages = now.messagesIn();
    lastLag = lagNow;
  }

  private static int bounded(double value) {
    return (int) Math.clamp(Math.round(value), 0L, MOST);
  }
}
