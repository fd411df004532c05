package dev.chatflow.consumer;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The AMQP messages of one channel that are in their rooms' logs and not yet acknowledged; all of
 * them are acknowledged at once, after {@value #MESSAGES} or 50 ms after the first.
 *
 * <p>Belongs to the consumer's thread, and to one channel object: it dies with it, because a tag of
 * one channel closes another.
 */
final class AckWindow {

  static final int MESSAGES = 16;
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Acknowledges everything up to a tag. */
  interface Acks {
    void ackUpTo(long tag) throws IOException;
  }

  private final Acks acks;
  private final ConsumerMeter meter;

  private long lastTag;
  private int unacked;
  private long firstNanos;

  AckWindow(Acks acks, ConsumerMeter meter) {
    this.acks = acks;
    this.meter = meter;
  }

  /** A message is in its rooms' logs. */
  void appended(long tag, long nowNanos) throws IOException {
    if (unacked == 0) {
      firstNanos = nowNanos;
    }
    lastTag = tag;
    unacked++;
    meter.unacked(1);
    if (unacked >= MESSAGES) {
      flush();
    }
  }

  /** Acknowledges what has waited long enough. */
  void tick(long nowNanos) throws IOException {
    if (unacked > 0 && nowNanos - firstNanos >= PATIENCE_NANOS) {
      flush();
    }
  }

  /** Acknowledges all. */
  void flush() throws IOException {
    if (unacked > 0) {
      acks.ackUpTo(lastTag);
      forget();
    }
  }

  /** The channel is gone: its broker will deliver again what was not acknowledged. */
  void forget() {
    meter.unacked(-unacked);
    unacked = 0;
  }

  int unacked() {
    return unacked;
  }
}
