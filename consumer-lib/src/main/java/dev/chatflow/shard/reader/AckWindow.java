package dev.chatflow.shard.reader;

import dev.chatflow.broker.BrokerException;
import java.util.concurrent.TimeUnit;

/**
 * The entries of one reading that are taken and not yet acknowledged; all of them are acknowledged
 * at once, after {@value #ENTRIES} or 50 ms after the first.
 *
 * <p>Belongs to the reader's thread, and to one reading: it dies with it, because a tag of one
 * channel closes another.
 */
public final class AckWindow {

  static final int ENTRIES = 16;
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Acknowledges everything up to a tag. */
  public interface Acks {
    void ackUpTo(long tag) throws BrokerException;
  }

  private final Acks acks;
  private final ReaderMeter meter;

  private long lastTag;
  private int unacked;
  private long firstNanos;

  public AckWindow(Acks acks, ReaderMeter meter) {
    this.acks = acks;
    this.meter = meter;
  }

  /** An entry is taken. */
  public void taken(long tag, long nowNanos) throws BrokerException {
    if (unacked == 0) {
      firstNanos = nowNanos;
    }
    lastTag = tag;
    unacked++;
    meter.unacked(1);
    if (unacked >= ENTRIES) {
      flush();
    }
  }

  /** Acknowledges what has waited long enough. */
  public void tick(long nowNanos) throws BrokerException {
    if (unacked > 0 && nowNanos - firstNanos >= PATIENCE_NANOS) {
      flush();
    }
  }

  private void flush() throws BrokerException {
    acks.ackUpTo(lastTag);
    forget();
  }

  /** The channel is gone, and with it its tags. */
  public void forget() {
    meter.unacked(-unacked);
    unacked = 0;
  }
}
