package dev.chatflow.server;

import dev.chatflow.server.vitals.Vitals;
import dev.chatflow.shard.Pulse;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How this server goes, worked out anew after {@value #SECONDS} s when somebody asks. Any thread.
 */
final class OwnPulse implements Supplier<Pulse> {

  static final int SECONDS = 2;

  private static final long STRETCH_NANOS = TimeUnit.SECONDS.toNanos(SECONDS);
  private static final int MOST = 999_999_999;

  private final Supplier<Vitals.Stats> stats;
  private final Supplier<Vitals.Hop> lag;
  private final String version;
  private final LongSupplier nanos;

  // Guarded by this.
  private Pulse last;
  private long lastNanos;
  private long lastMessages;
  private Vitals.Hop lastLag;

  /**
   * Makes it, of a server that begins.
   *
   * @param lag of own entries
   * @param nanos a clock that only moves forward
   */
  OwnPulse(
      Supplier<Vitals.Stats> stats, Supplier<Vitals.Hop> lag, String version, LongSupplier nanos) {
    this.stats = stats;
    this.lag = lag;
    this.version = version;
    this.nanos = nanos;
    this.last = new Pulse(0, 0, 0, 0, version);
    this.lastNanos = nanos.getAsLong();
    this.lastLag = lag.get();
  }

  @Override
  public synchronized Pulse get() {
    long elapsed = nanos.getAsLong() - lastNanos;
    if (elapsed >= STRETCH_NANOS) {
      lastNanos += elapsed;
      last = taken(stats.get(), lag.get(), elapsed / (double) TimeUnit.SECONDS.toNanos(1));
    }
    return last;
  }

  private Pulse taken(Vitals.Stats now, Vitals.Hop lagNow, double seconds) {
    double rate = (now.messagesIn() - lastMessages) / seconds;
    long entries = Math.max(1, lagNow.count() - lastLag.count());
    double millis = (lagNow.seconds() - lastLag.seconds()) * 1_000 / entries;
    lastMessages = now.messagesIn();
    lastLag = lagNow;
    return new Pulse(now.connections(), now.rooms(), bounded(rate), bounded(millis), version);
  }

  private static int bounded(double value) {
    return (int) Math.clamp(Math.round(value), 0L, MOST);
  }
}
