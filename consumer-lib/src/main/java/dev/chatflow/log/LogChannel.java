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
 * The broker's channel by which a log is read just now: what it has handed over, and what of that
 * is not acknowledged yet. Entries are acknowledged all at once, after {@value #ACK_ENTRIES} or 50
 * ms after the first. Behind a channel that failed the next one waits 200 ms, doubling to 1 s.
 *
 * <p>Belongs to the reader's thread; any thread may ask whether it is open, and for the trouble.
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

  // The reader's thread's.
  private Inbox inbox;
  private long lastTag;
  private int unacked;
  private long firstUnackedNanos;
  private boolean waiting;
  private long retryNanos;

  /**
   * Makes one that is not open.
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

  /** Why the log is not read, in words for an operator; empty when nothing hinders it. */
  public String trouble() {
    return trouble;
  }

  /** In how many ns the next channel may be opened; 0 for now. */
  public long waitNanos(long nowNanos) {
    return waiting ? Math.max(0, retryNanos - nowNanos) : 0;
  }

  /** Starts to read; the one before it must be closed. */
  public void open(Logs.Start start) throws BrokerException {
    Inbox fresh = freshInbox();
    reading = logs.read(shard, start, config.prefetch(), fresh);
    inbox = fresh;
    trouble = "";
    waiting = false;
    retries.reset();
  }

  /** Each reading its own: what an older channel still hands over is never met. */
  private Inbox freshInbox() {
    return new Inbox(config.prefetch(), wake);
  }

  /** The next arrival, or null when none is there. */
  public @Nullable Arrival poll() {
    return inbox.poll();
  }

  /** Why nothing more will come, or null while more may. */
  public @Nullable String ended() {
    return inbox.ended();
  }

  /** An entry is taken, and may be acknowledged; nothing happens when its channel is closed. */
  public void taken(Arrival arrival, long nowNanos) throws BrokerException {
    Logs.Reading open = reading;
    if (open == null) {
      return; // its tag would close another channel
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

  /** Acknowledges what has waited long enough. */
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

  /** Sends a line that nobody can decode to the dead letters, and counts it. */
  public void sendDeadLetter(DeadLetter letter) throws BrokerException {
    meter.poison();
    Logs.Reading open = reading;
    if (open != null) {
      open.sendDeadLetter(letter);
    }
  }

  /** Ends it; what it still hands over is not met. */
  public void close() {
    Logs.Reading open = reading;
    reading = null;
    forgetUnacked();
    if (open != null) {
      open.close();
    }
  }

  /** Ends it, since it has ended or is not trusted; another one has to wait a while. */
  public void failed(String why, long nowNanos) {
    close();
    waiting = true;
    retryNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(retries.nextMillis());
    if (!why.equals(trouble)) {
      log.warn("shard {} is not read, trying on: {}", shard.index(), why);
      trouble = why;
    }
  }
}
