package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.room.Shard;
import dev.chatflow.support.BackOff;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker channel through which a log is currently read, with delivered and unacknowledged
 * entries. Entries are acknowledged together: after {@value #ACK_ENTRIES}, or 50 ms after the first
 * one. After a failed channel the next one opens 200 ms later, doubling up to 1 s.
 *
 * <p>Used by the reader's thread; any thread may read whether it is open, and the trouble.
 */
public final class LogChannel {

  static final int ACK_ENTRIES = 16;
  private static final long ACK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final int FIRST_RETRY_MILLIS = 200;
  private static final int MAX_RETRY_MILLIS = 1_000;

  private static final Logger log = LoggerFactory.getLogger(LogChannel.class);

  private final Shard shard;
  private final Logs logs;
  private final ReaderConfig config;
  private final ReaderMeter meter;
  private final Runnable wake;
  private final BackOff retries = new BackOff(FIRST_RETRY_MILLIS, MAX_RETRY_MILLIS);

  private volatile Logs.@Nullable Reading reading;
  private volatile String trouble = "";

  // Used only by the reader's thread.
  private Inbox inbox;
  private long lastTag;
  private int unacked;
  private long firstUnackedNanos;
  private boolean waiting;
  private long retryNanos;

  /**
   * Creates a closed channel.
   *
   * @param wake wakes the reader's thread
   */
  public LogChannel(Shard shard, Logs logs, ReaderConfig config, ReaderMeter meter, Runnable wake) {
    this.shard = shard;
    this.logs = logs;
    this.config = config;
    this.meter = meter;
    this.wake = wake;
    this.inbox = freshInbox();
  }

  public boolean isOpen() {
    return reading != null;
  }

  /** Returns why the log is not read, for operators; empty without a problem. */
  public String trouble() {
    return trouble;
  }

  /** Returns the ns until the next channel may be opened; 0 for now. */
  public long waitNanos(long nowNanos) {
    return waiting ? Math.max(0, retryNanos - nowNanos) : 0;
  }

  /** Starts reading; the previous channel must be closed. */
  public void open(Logs.Start start) throws BrokerException {
    Inbox fresh = freshInbox();
    reading = logs.read(shard, start, config.prefetch(), fresh);
    inbox = fresh;
    trouble = "";
    waiting = false;
    retries.reset();
  }

  /** Creates an inbox for each reading, so that late deliveries of an older channel are ignored. */
  private Inbox freshInbox() {
    return new Inbox(config.prefetch(), wake);
  }

  /** Returns the next arrival, or null if there is none. */
  public @Nullable Arrival poll() {
    return inbox.poll();
  }

  /** Returns why nothing more will arrive, or null while more may. */
  public @Nullable String ended() {
    return inbox.ended();
  }

  /** Marks an entry as ready for acknowledgement. Does nothing if its channel is closed. */
  public void taken(Arrival arrival, long nowNanos) throws BrokerException {
    Logs.Reading open = reading;
    if (open == null) {
      return; // its tag would close a different channel
    }
    if (unacked == 0) {
      firstUnackedNanos = nowNanos;
    }
    lastTag = arrival.tag();
    unacked++;
    meter.unacked(1);
    if (unacked >= ACK_ENTRIES) {
      acknowledge(open);
    }
  }

  /** Acknowledges entries that have waited long enough. */
  public void tick(long nowNanos) throws BrokerException {
    Logs.Reading open = reading;
    if (open != null && unacked > 0 && nowNanos - firstUnackedNanos >= ACK_NANOS) {
      acknowledge(open);
    }
  }

  private void acknowledge(Logs.Reading open) throws BrokerException {
    open.ackUpTo(lastTag);
    forgetUnacked();
  }

  private void forgetUnacked() {
    meter.unacked(-unacked);
    unacked = 0;
  }

  /** Sends an undecodable line to the dead letters and counts it. */
  public void sendDeadLetter(DeadLetter letter) throws BrokerException {
    meter.poison();
    Logs.Reading open = reading;
    if (open != null) {
      open.sendDeadLetter(letter);
    }
  }

  /** Closes the channel; later deliveries are ignored. */
  public void close() {
    Logs.Reading open = reading;
    reading = null;
    forgetUnacked();
    if (open != null) {
      open.close();
    }
  }

  /** Closes a channel that ended or is not trusted; the next one has to wait. */
  public void failed(String why, long nowNanos) {
    close();
    waiting = true;
    retryNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(retries.nextMillis());
    if (!why.equals(trouble)) {
      log.warn("shard {} is not read, retrying: {}", shard.index(), why);
      trouble = why;
    }
  }
}
